import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { HashingAnswer, HashingTask } from './messages.ts'
import { standBack } from './thread-priority.ts'

/** A thread that does nothing but hash; see `hashing-threads.ts`. */

standBack()

function perform(task: HashingTask): HashingAnswer {
  try {
    return {
      result: task.kind === 'hash' ? hashSync(task.password, task.options) : verifySync(task.hash, task.password),
    }
  } catch (error) {
    return { error }
  }
}

parentPort?.on('message', (task: HashingTask) => parentPort?.postMessage(perform(task)))
