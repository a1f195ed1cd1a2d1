import { createHash, createHmac, randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../observability/log.ts'

/**
 * Returns the secret of this instance from DATA_DIR, created at the first start. Two concurrent first starts use the
 * same one.
 */
export async function getOrCreateSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret')
  const temporary = `${file}.${process.pid}`
  await writeFile(temporary, randomBytes(32).toString('hex'), { mode: 0o600 })
  try {
    // A hard link appears complete or not at all, and never replaces an existing secret.
    await link(temporary, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(temporary, { force: true })
  }
  return (await readFile(file, 'utf8')).trim()
}

/** Derives a separate key for each use, so that none can be used in place of another. */
export function deriveSecret(secret: string, use: string): string {
  return createHmac('sha256', secret).update(use).digest('hex')
}

/** The stored form of a token. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
