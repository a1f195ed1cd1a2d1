import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createLine } from '../line.ts'

export type PasswordHasher = {
  /**
   * @param saltOf a hash whose salt is taken, so that the same password gives the same hash.
   * @returns a PHC string: argon2id with its parameters and salt.
   */
  hash(password: string, saltOf?: string): Promise<string>
  verify(password: string, passwordHash: string): Promise<boolean>
  /**
   * Which of some hashes, all with the salt of the first, is that of the password. That is one hash, however many there
   * are, and as long where there are none: nobody has this e-mail.
   */
  find(password: string, passwordHashes: string[]): Promise<string | null>
}

/** What `find` is given at most. Comparing strings costs nothing, but a stranger can add to them. */
export const comparedHashes = 1_000

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
  const hashWithSaltOf = (saltOf: string, password: string) => hash(password, { ...owasp, salt: readSalt(saltOf) })
  return {
    hash: (password, saltOf) => inSlot(() => (saltOf ? hashWithSaltOf(saltOf, password) : hash(password, owasp))),
    verify: (password, passwordHash) => inSlot(() => verify(passwordHash, password)),
    find: (password, passwordHashes) =>
      inSlot(async () => {
        const own = await hashWithSaltOf(passwordHashes[0] ?? nobodys, password)
        return passwordHashes.includes(own) ? own : null
      }),
  }
}

/** `$argon2id$v=19$m=…,t=…,p=…$salt$hash` */
const readSalt = (passwordHash: string) => Buffer.from(passwordHash.split('$').at(-2) ?? '', 'base64')
