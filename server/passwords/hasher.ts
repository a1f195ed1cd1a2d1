import { hash } from '@node-rs/argon2'
import { createLine } from '../line.ts'
import { createHashingThreads } from './hashing-threads.ts'
import { countHashingThreads } from './thread-priority.ts'

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
  close(): Promise<void>
}

/** What `find` is given at most. Comparing strings costs nothing, but a stranger can add to them. */
export const comparedHashes = 1_000

/** Of argon2id: `memoryCost` in KiB, `timeCost` in iterations. */
export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number }

/** OWASP Password Storage Cheat Sheet: 19 MiB, 2 iterations, 1 lane. */
export const owaspCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Hashing takes a whole core for some milliseconds. So only `slots` run at once, on threads that stand back; `waiting` more may
 * queue, and beyond that the answer is 503 `busy`.
 */
export async function createPasswordHasher({
  slots = countHashingThreads(),
  waiting = 64,
  cost = owaspCost,
} = {}): Promise<PasswordHasher> {
  const inSlot = createLine(slots, waiting)
  const threads = createHashingThreads()
  const nobodys = await hash('nobody has this password', cost)
  const hashWithSaltOf = (saltOf: string, password: string) =>
    threads.hash(password, { ...cost, salt: readSalt(saltOf) })
  return {
    hash: (password, saltOf) =>
      inSlot(() => (saltOf ? hashWithSaltOf(saltOf, password) : threads.hash(password, cost))),
    verify: (password, passwordHash) => inSlot(() => threads.verify(passwordHash, password)),
    find: (password, passwordHashes) =>
      inSlot(async () => {
        const own = await hashWithSaltOf(passwordHashes[0] ?? nobodys, password)
        return passwordHashes.includes(own) ? own : null
      }),
    close: () => threads.close(),
  }
}

/** `$argon2id$v=19$m=…,t=…,p=…$salt$hash` */
const readSalt = (passwordHash: string) => new Uint8Array(Buffer.from(passwordHash.split('$').at(-2) ?? '', 'base64'))
