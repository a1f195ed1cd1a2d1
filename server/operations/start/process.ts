const lookEveryMs = 250

/** A parent that may be gone before this process looks for it names itself: `--end-with-parent=PID`. */
const [option, named] =
  process.argv.map((argument) => /^--end-with-parent(?:=(\d+))?$/.exec(argument)).find(Boolean) ?? []
/** Whether this process was started to end with its parent. */
export const endsWithParent = option !== undefined

/**
 * Calls back once the process that started this one is gone. npm runs scripts in a shell, and passes signals on to
 * that shell alone, which dies of them and leaves the script running; on Windows the shell is ended the same way.
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

/** Where an orphan keeps its parent's number, as on Windows, the number has to be asked for. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** What a log of JSON lines is read by gets those alone, at the start and the end as well. */
export const isProduction = process.env.NODE_ENV === 'production'
const asLine = (level: number, text: string) => JSON.stringify({ level, time: Date.now(), msg: text.trim() })

/** Prints for the person at the terminal; everything else goes through the log. */
export const printLine = (text: string) => process.stdout.write(`${isProduction ? asLine(30, text) : text}\n`)
export const printError = (text: string) => process.stderr.write(`${isProduction ? asLine(60, text) : text}\n`)
