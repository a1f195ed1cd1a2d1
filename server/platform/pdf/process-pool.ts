import type { ProcessSettings } from './messages.ts'
import { type PdfProcess, startPdfProcess } from './pdf-process.ts'

/** An idle process is ended, which frees its memory. Until then, uploads do not wait for a new process. */
const idleMs = 5 * 60_000

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
      resting.set(process, setTimeout(() => void end(process), idleMs).unref())
    },
    async close() {
      await Promise.all([...filesRead.keys()].map(end))
    },
  }
}
