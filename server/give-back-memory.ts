import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects what the start has used, and gives it back to the system: 25 MB in 0.2 s, while nobody waits for an answer
 * yet. V8 would do so when nothing happens for long, and jobs are looked for all the time.
 */
export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect: NodeJS.GCFunction = runInNewContext('gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
