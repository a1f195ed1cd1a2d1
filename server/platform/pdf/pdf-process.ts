import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultNiceness } from './limits.ts'
import type { Answer, ProcessSettings, Task } from './messages.ts'

const main = fileURLToPath(new URL('./process-main.ts', import.meta.url))
/** The code that a process may read. The parent folders may contain the server's data. */
const code = [
  import.meta.dirname,
  ...['packages', 'package.json'].map((name) => join(import.meta.dirname, '../../..', name)),
  ...findModules(import.meta.dirname),
]
const startTimeoutMs = 30_000

export type PdfProcess = {
  readonly hasEnded: boolean
  /**
   * Performs one task at a time.
   * @throws ProcessExitedError when the process does not survive the file, and the signal's reason when that aborts,
   *   which ends the process too. In both cases the process has exited.
   */
  perform(task: Task, signal: AbortSignal): Promise<Answer>
  end(): Promise<void>
}

/** The message is the reason why the process ended. */
export class ProcessExitedError extends Error {
  override name = 'ProcessExitedError'
}

/** @throws ProcessExitedError when it does not start. The timeout is long, because the machine may be busy. */
export async function startPdfProcess(settings: ProcessSettings): Promise<PdfProcess> {
  const folders = await withRealPaths([settings.folder])
  const readable = [...(await withRealPaths(code)), ...folders].map((path) => `--allow-fs-read=${path}`)
  const writable = folders.map((path) => `--allow-fs-write=${path}`)
  const child = fork(main, [JSON.stringify(settings)], {
    // An empty environment contains no secrets.
    env: {},
    // A file that takes over the process gets no network, no programs and no other files.
    execArgv: ['--permission', '--allow-worker', ...readable, ...writable],
    // Node lets worker threads read the whole folder that they are started in.
    cwd: settings.folder,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  lowerPriority(child, settings.niceness ?? defaultNiceness)
  // A message that cannot be sent needs no handling, because the process has ended.
  child.on('error', () => {})
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))

  async function end() {
    child.kill('SIGKILL')
    await exited
  }

  async function nextAnswer(signal: AbortSignal): Promise<Answer> {
    const stopListening = new AbortController()
    try {
      const answer = await Promise.race([
        once(child, 'message', { signal: AbortSignal.any([signal, stopListening.signal]) }).then(([first]) => first),
        exited.then((): Answer => ({ kind: 'ended', reason: 'crash' })),
      ])
      if (answer.kind !== 'ended') return answer
      await end()
      throw new ProcessExitedError(answer.reason)
    } catch (error) {
      await end()
      throw signal.aborted ? signal.reason : error
    } finally {
      stopListening.abort()
    }
  }

  const process: PdfProcess = {
    get hasEnded() {
      return !child.connected
    },
    perform(task, signal) {
      const answer = nextAnswer(signal)
      if (child.connected) child.send(task)
      return answer
    },
    end,
  }
  const answer = await nextAnswer(AbortSignal.timeout(startTimeoutMs))
  if (answer.kind !== 'ready') throw new ProcessExitedError('no start')
  return process
}

/** One idle process is kept so long, because an upload would wait a quarter of a second for a new one. */
const idleMs = 5 * 60_000
/** Each further one is ended, which frees 80 MB. */
const furtherIdleMs = 30_000

export type Processes = {
  /** Returns an idle process or a new one. @throws ProcessExitedError when none can be started. */
  acquire(): Promise<PdfProcess>
  /** Keeps the process, unless it has ended or has read too many files. */
  release(process: PdfProcess): Promise<void>
  /** Ends all processes immediately. */
  close(): Promise<void>
}

export function createProcesses(settings: ProcessSettings, maxFiles: number): Processes {
  const filesRead = new Map<PdfProcess, number>()
  const resting = new Map<PdfProcess, NodeJS.Timeout>()

  async function end(process: PdfProcess) {
    clearTimeout(resting.get(process))
    resting.delete(process)
    filesRead.delete(process)
    await process.end()
  }

  return {
    async acquire() {
      for (const [process, timer] of resting) {
        clearTimeout(timer)
        resting.delete(process)
        if (!process.hasEnded) return process
        await end(process)
      }
      const started = await startPdfProcess(settings)
      filesRead.set(started, 0)
      return started
    },
    async release(process) {
      const files = (filesRead.get(process) ?? maxFiles) + 1
      if (process.hasEnded || files >= maxFiles) return end(process)
      filesRead.set(process, files)
      const rest = (ms: number, then: () => void) => resting.set(process, setTimeout(then, ms).unref())
      rest(furtherIdleMs, () => (resting.size > 1 ? void end(process) : rest(idleMs, () => void end(process))))
    },
    async close() {
      await Promise.all([...filesRead.keys()].map(end))
    },
  }
}

/** Finds the folders of packages: below our own folder, or beside it when Lectern is installed as a package. */
function findModules(folder: string): string[] {
  const here = join(folder, 'node_modules')
  const above = dirname(folder) === folder ? [] : findModules(dirname(folder))
  return existsSync(here) ? [here, ...above] : above
}

/** Node allows a path as it is written, but loads modules from the targets of their links. */
const withRealPaths = async (paths: string[]) => [
  ...new Set([...paths, ...(await Promise.all(paths.map((path) => realpath(path))))]),
]

/** Some systems do not allow this. */
function lowerPriority(child: ChildProcess, niceness: number): void {
  try {
    if (child.pid !== undefined) setPriority(child.pid, niceness)
  } catch {}
}
