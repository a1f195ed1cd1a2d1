import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'
import { chromium } from '@playwright/test'

/**
 * Finds Chromium for the tests: the one in `CHROMIUM`, else that of the npm package, which is the same for all
 * developers, needs no installation and is twice as fast because it has no windows, else the installed one.
 */
export async function findChromium(): Promise<string> {
  const path = process.env.CHROMIUM ?? (await unpackChromium()) ?? findInstalledChromium()
  if (path === undefined) throw new Error('No Chromium was found; name one with CHROMIUM')
  return path
}

/** Returns an installed full browser, which has a PDF reader. */
export function findInstalledChromium(): string | undefined {
  return ['/usr/bin/chromium', '/usr/bin/google-chrome', chromium.executablePath()].find((path) => existsSync(path))
}

/**
 * Unpacks into the checkout. The package's own function uses one temporary file for all users and versions.
 * @returns undefined on a system that cannot run it.
 */
async function unpackChromium(): Promise<string | undefined> {
  if (process.platform !== 'linux') return
  const from = fileURLToPath(new URL('../node_modules/@sparticuz/chromium/', import.meta.url))
  const { version } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  const folder = fileURLToPath(new URL('../node_modules/.cache/chromium/', import.meta.url))
  const path = join(folder, `chromium-${version}`)
  if (!existsSync(path)) {
    await mkdir(folder, { recursive: true })
    const part = `${path}.${process.pid}.part`
    try {
      await pipeline(
        createReadStream(join(from, 'bin/chromium.br')),
        createBrotliDecompress(),
        createWriteStream(part, { mode: 0o755 }),
      )
      await rename(part, path)
    } finally {
      await rm(part, { force: true })
    }
  }
  return promisify(execFile)(path, ['--version']).then(
    () => path,
    () => undefined,
  )
}

/** Disables background network traffic and, for root, the sandbox, which does not work as root. */
export const chromiumArgs = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]
