import type { Options } from '@node-rs/argon2'

/** What passes between the server and a thread that hashes. */

export type HashingTask =
  | { kind: 'hash'; password: string; options: Options }
  | { kind: 'verify'; password: string; hash: string }

export type HashingAnswer = { result: string | boolean } | { error: unknown }
