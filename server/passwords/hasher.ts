import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createLine } from '../line.ts'

export type PasswordHasher = {
  /**
   * @param saltOf a hash whose salt is taken, so that the same password gives the same hash.
   * @returns a PHC string: argon2id with its parameters and salt.
   */
  hash(password: string, saltOf?: string): Promise<string>
  /** With a null hash (nobody has this e-mail) it takes as long as with a real one, and is false. */
  verify(password: string, passwordHash: string | null): Promise<boolean>
}

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, 2 iterations, 1 lane. */
const owasp = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Hashing takes a whole core for tens of milliseconds, on the same threads that read files. So only `slots` run at
 * once, leaving a core for everything else; `waiting` more may queue, and beyond that the answer is 503 `busy`.
 */
export async function createPasswordHasher({
  slots = Math.max(1, availableParallelism() - 1),
  waiting = 64,
} = {}): Promise<PasswordHasher> {
  const inSlot = createLine(slots, waiting)
  const nobodys = await hash('nobody has this password', owasp)
  return {
    hash: (password, saltOf) => inSlot(() => hash(password, saltOf ? { ...owasp, salt: readSalt(saltOf) } : owasp)),
    verify: (password, passwordHash) =>
      inSlot(async () => (await verify(passwordHash ?? nobodys, password)) && passwordHash !== null),
  }
}

/** `$argon2id$v=19$m=…,t=…,p=…$salt$hash` */
const readSalt = (passwordHash: string) => Buffer.from(passwordHash.split('$').at(-2) ?? '', 'base64')
