import type { WriteStream } from 'node:tty'

const updateEveryMs = 100
/** Where lines stay, fewer of them. */
const plainEveryMs = 5_000

/** Shows how far a long task is: in one line that changes on a terminal, in a few lines elsewhere. */
export function createProgress(stream: Pick<WriteStream, 'write' | 'isTTY'>, task: string) {
  let shownAt = 0
  return (done: number, total: number): void => {
    const now = performance.now()
    const isLast = done === total
    if (!isLast && now - shownAt < (stream.isTTY ? updateEveryMs : plainEveryMs)) return
    shownAt = now
    const text = `  ${task} … ${done} of ${total}`
    stream.write(stream.isTTY ? `\r\u001b[K${text}${isLast ? '\n' : ''}` : `${text}\n`)
  }
}
