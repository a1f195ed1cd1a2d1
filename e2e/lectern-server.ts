import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../server/main.ts', import.meta.url))
const startTimeoutMs = 60_000
const mailTimeoutMs = 15_000

export type LecternServer = {
  url: string
  /** The link in the newest mail to an address. Waits for the mail. */
  readMailedLink(to: string): Promise<string>
  stop(): Promise<void>
}

/** The real server in a process and a folder of its own. */
export async function startLectern(): Promise<LecternServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lectern e2e '))
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, RATE_LIMIT: 'off', LOG_LEVEL: 'warn', NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))

  const url = await waitFor(startTimeoutMs, `Lectern did not start`, async () => {
    if (child.exitCode !== null) throw new Error(`Lectern ended at its start:\n${output}`)
    return /Lectern is open at (\S+)/.exec(output)?.[1]
  })

  return {
    url,
    readMailedLink: (to) =>
      waitFor(mailTimeoutMs, `No mail came to ${to}`, () => findMailedLink(join(dataDir, 'outbox'), to)),
    async stop() {
      child.kill('SIGTERM')
      await exited
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function findMailedLink(outbox: string, to: string): Promise<string | undefined> {
  const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  for (const name of names.reverse()) {
    const mail = (await readFile(join(outbox, name), 'utf8')).replaceAll('=\r\n', '').replaceAll('=3D', '=')
    if (mail.includes(`To: ${to}`)) return /https?:\/\/\S+\?token=[\w-]+/.exec(mail)?.[0]
  }
}

async function waitFor<T>(timeoutMs: number, what: string, find: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline) {
    const found = await find()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${what} within ${timeoutMs / 1000} s`)
}
