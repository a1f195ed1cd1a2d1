import { ApiError } from './client.ts'

/** Whether a write was refused because it was for a version that is no longer the latest. */
export const isOutdated = (failure: unknown): failure is ApiError =>
  failure instanceof ApiError && failure.code === 'outdated'

/** Every round one of the tabs that write at once succeeds. */
const maxTries = 10

/** Sends what goes by something that was read. If that is outdated, it is read again and sent once more. */
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
