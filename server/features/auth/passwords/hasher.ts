import { availableParallelism } from 'node:os'
import { hash, type Options, verify } from '@node-rs/argon2'
import PQueue from 'p-queue'
import { fail } from '../../../platform/http/api-error.ts'

export type PasswordHasher = {
  /**
   * @param saltOf is a hash whose salt is reused, so that the same password gives the same hash.
   * @returns a PHC string: argon2id with its parameters and salt.
   * @throws busy when too many hashes are waiting.
   */
  hash(password: string, saltOf?: string): Promise<string>
  /** @throws busy when too many hashes are waiting. */
  verify(password: string, passwordHash: string): Promise<boolean>
  /**
   * Finds the hash of the password among hashes that all have the salt of the first one. It computes one hash for any
   * number of them, also for none, so that an unknown email takes as long as a known one.
   * @throws busy when too many hashes are waiting.
   */
  find(password: string, passwordHashes: string[]): Promise<string | null>
}

/** `find` gets at most this many hashes. Comparing strings is cheap, but strangers can add to them. */
export const comparedHashes = 1_000

/** The unit of `memoryCost` is KiB; `timeCost` is the number of iterations of argon2id. */
export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number }

/** OWASP Password Storage Cheat Sheet recommends 19 MiB, 2 iterations and 1 lane. */
export const owaspCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * A hash occupies a processor for some milliseconds, on a thread of Node's pool. One processor, and at least one of the
 * pool's four threads, stays free for other work.
 */
export async function createPasswordHasher({
  concurrency = Math.min(3, Math.max(1, availableParallelism() - 1)),
  maxWaiting = 64,
  cost = owaspCost,
} = {}): Promise<PasswordHasher> {
  const queue = new PQueue({ concurrency })
  const dummyHash = await hash('no account has this password', cost)
  const enqueue = async <T>(task: () => Promise<T>): Promise<T> => {
    if (queue.size + queue.pending >= concurrency + maxWaiting) fail('busy', { retryAfterSeconds: 5 })
    return queue.add(task)
  }
  const withSaltOf = (saltOf: string): Options => ({ ...cost, salt: parseSalt(saltOf) })
  return {
    hash: (password, saltOf) => enqueue(() => hash(password, saltOf ? withSaltOf(saltOf) : cost)),
    verify: (password, passwordHash) => enqueue(() => verify(passwordHash, password)),
    find: (password, passwordHashes) =>
      enqueue(async () => {
        const computed = await hash(password, withSaltOf(passwordHashes[0] ?? dummyHash))
        return passwordHashes.includes(computed) ? computed : null
      }),
  }
}

/** The hash format is `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
const saltBytes = 16
/** Returns a string that replaces a hash where only its salt is used. */
export const saltOf = (secret: string) => `$${Buffer.from(secret, 'hex').subarray(0, saltBytes).toString('base64')}$`
const parseSalt = (passwordHash: string) => new Uint8Array(Buffer.from(passwordHash.split('$').at(-2) ?? '', 'base64'))
