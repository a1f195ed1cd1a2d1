import type { WriteStream } from 'node:tty'

const updateEveryMs = 100
/** Without a terminal every update adds a line, so there are fewer. */
const plainEveryMs = 5_000

/** Shows the progress of a long task: on a terminal in one line that is overwritten, elsewhere in a few lines. */
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
