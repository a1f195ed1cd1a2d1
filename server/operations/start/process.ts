const lookEveryMs = 250

/** A parent that may end before this process looks for it passes its process id: `--end-with-parent=PID`. */
const [option, named] =
  process.argv.map((argument) => /^--end-with-parent(?:=(\d+))?$/.exec(argument)).find(Boolean) ?? []
const endsWithParent = option !== undefined

/**
 * Calls back when the parent process has ended. npm runs scripts in a shell and passes signals only to that shell,
 * which ends and leaves the script running; on Windows the shell is ended the same way.
 */
export function onParentExit(callback: () => void): void {
  const parent = Number(named ?? process.ppid)
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(parent)) return
    clearInterval(timer)
    callback()
  }, lookEveryMs)
  timer.unref()
}

/** npm forwards a signal that its whole process group already received, so signals this close together count as one. */
const sameWishMs = 1_000

/**
 * Calls `stop` on the first signal, or when the shell of `npm run` ends. A later signal ends the process immediately,
 * because stopping can wait for something that never comes.
 */
export function onStopRequest(stop: () => void): void {
  let stoppedAt: number | null = null
  function request(isSignal: boolean): void {
    if (stoppedAt === null) {
      stoppedAt = performance.now()
      stop()
    } else if (isSignal && performance.now() - stoppedAt > sameWishMs) process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => request(true))
  if (endsWithParent) onParentExit(() => request(false))
}

/** On Windows an orphan keeps the process id of its parent, so the process itself has to be checked. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A reader of JSON log lines gets only those, also at the start and the end. */
export const isProduction = process.env.NODE_ENV === 'production'
const asLine = (level: number, text: string) => JSON.stringify({ level, time: Date.now(), msg: text.trim() })

/** Prints for the operator at the terminal; everything else goes through the log. */
export const printLine = (text: string) => process.stdout.write(`${isProduction ? asLine(30, text) : text}\n`)
export const printError = (text: string) => process.stderr.write(`${isProduction ? asLine(60, text) : text}\n`)
