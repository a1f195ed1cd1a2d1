import { Worker } from 'node:worker_threads'
import { threadMaxHeapMb } from './limits.ts'
import { type Answer, type ProcessSettings, type Task, toErrorCode } from './messages.ts'

/**
 * A process that reads PDFs. A thread does the work, so that the main thread stays free to supervise it: the process
 * ends itself when it uses too much memory or processor time, and when the server ends for any reason.
 */

const checkEveryMs = 25
const settings: ProcessSettings = JSON.parse(process.argv[2] ?? '')

const thread = new Worker(new URL('./worker.ts', import.meta.url), {
  workerData: settings,
  resourceLimits: { maxOldGenerationSizeMb: threadMaxHeapMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
})
thread.on('message', (answer: Answer) => process.send?.(answer))
thread.on('error', (error) => end(toErrorCode(error)))
let cpuBefore = process.cpuUsage()
process.on('message', (task: Task) => {
  cpuBefore = process.cpuUsage()
  thread.postMessage(task)
})
process.on('disconnect', endNow)
// A terminal sends Ctrl+C to every process in it; the server ends this one when its work is done.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
setInterval(() => {
  const { user, system } = process.cpuUsage(cpuBefore)
  if (settings.maxCpuMs !== undefined && (user + system) / 1000 > settings.maxCpuMs) end('timeout')
  if (process.memoryUsage.rss() > settings.maxResidentBytes) end('memory')
}, checkEveryMs)

function end(reason: string): void {
  process.send?.({ kind: 'ended', reason } satisfies Answer, endNow)
}

/** Kills the process without waiting for the thread, which may hang. */
function endNow(): void {
  process.kill(process.pid, 'SIGKILL')
}
