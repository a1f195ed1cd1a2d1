import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { anonymisePdf } from './anonymiser/anonymise.ts'
import { inspectPdf } from './inspect.ts'
import { pdfLimits } from './limits.ts'
import { type Answer, describeError, type ProcessSettings, type RewrittenFile, type Task } from './messages.ts'

/** The thread that reads PDFs, in a process of its own (`process-main.ts`). */

/**
 * The memory of a PDFium that is done with stays until the garbage collector comes by, who sees no hurry: a few large
 * files in a row would pile up. So it is called before each file (4 ms).
 */
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const limits = pdfLimits((workerData as ProcessSettings).maxFileBytes)

async function perform(task: Task): Promise<Answer> {
  await setImmediate()
  collectGarbage()
  try {
    const bytes = new Uint8Array(await readFile(task.path))
    const result = task.name === 'inspect' ? await inspectPdf(bytes, limits) : await anonymise(bytes, task.target)
    return { kind: 'done', result }
  } catch (error) {
    return { kind: 'failed', reason: describeError(error) }
  }
}

async function anonymise(bytes: Uint8Array, target: string): Promise<RewrittenFile | null> {
  const rewritten = await anonymisePdf(bytes, limits)
  if (!rewritten) return null
  await writeFile(target, rewritten, { flag: 'wx', mode: 0o600 })
  return { bytes: rewritten.length, sha256: createHash('sha256').update(rewritten).digest('hex') }
}

const answer = (message: Answer) => parentPort?.postMessage(message)
parentPort?.on('message', async (task: Task) => answer(await perform(task)))
answer({ kind: 'ready' })
