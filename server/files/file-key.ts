import { randomBytes } from 'node:crypto'

/** 32 random lower-case hex characters: safe as a file name everywhere and the same on every driver. */
export function newFileKey(): string {
  return randomBytes(16).toString('hex')
}
