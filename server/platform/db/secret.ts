import { createHash, createHmac, randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../observability/log.ts'

/** The secret of this instance from DATA_DIR, made at the first start. Two starts at once agree on one. */
export async function getOrCreateSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret')
  const temporary = `${file}.${process.pid}`
  await writeFile(temporary, randomBytes(32).toString('hex'), { mode: 0o600 })
  try {
    // A link appears whole or not at all, and never replaces a secret that is there.
    await link(temporary, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(temporary, { force: true })
  }
  return (await readFile(file, 'utf8')).trim()
}

/** A key of its own for each use, so that none can stand in for another. */
export function deriveSecret(secret: string, use: string): string {
  return createHmac('sha256', secret).update(use).digest('hex')
}

/** What is stored of a token that somebody may present. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
