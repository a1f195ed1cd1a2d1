import { ApiError } from './client.ts'

/** Whether a write was refused because its version is no longer the latest. */
export const isOutdated = (failure: unknown): failure is ApiError =>
  failure instanceof ApiError && failure.code === 'outdated'

/** In each round, one of the tabs that write at the same time succeeds. */
const maxTries = 10

/** Sends a write based on data that was read. If the data is outdated, reads it again and retries. */
export async function writeOver<Read, Answer>(
  read: Read,
  send: (read: Read) => Promise<Answer>,
  readAgain: () => Promise<Read>,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await send(read)
    } catch (failure) {
      if (!isOutdated(failure) || tries === maxTries) throw failure
      read = await readAgain()
    }
  }
}
