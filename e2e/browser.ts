import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import chromiumInNpm from '@sparticuz/chromium'

/**
 * A Chromium that is there without an install step of its own: the one CHROMIUM names, the machine's, Playwright's,
 * else the one inside the npm package, which is unpacked into the temporary folder.
 */
export async function findChromium(): Promise<string> {
  const named = process.env.CHROMIUM
  if (named === 'npm') return chromiumInNpm.executablePath()
  const installed = [named, '/usr/bin/chromium', '/usr/bin/google-chrome', chromium.executablePath()]
  return installed.find((path) => path && existsSync(path)) ?? (await chromiumInNpm.executablePath())
}

/** Quiet on a machine without a network, and able to run as root, as which Chromium's own sandbox refuses to. */
export const chromiumArgs = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]
