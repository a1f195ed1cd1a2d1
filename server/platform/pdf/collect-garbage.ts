// biome-ignore lint/plugin/forbidden-code: `gc` is only reachable by a flag and from a new context
import { setFlagsFromString } from 'node:v8'
// biome-ignore lint/plugin/forbidden-code: `gc` is only reachable by a flag and from a new context
import { runInNewContext } from 'node:vm'

/**
 * Node exposes V8's garbage collector only by this flag. The file is in this folder because PDF processes read no
 * other.
 */
setFlagsFromString('--expose-gc')
export const collectGarbage: NodeJS.GCFunction = runInNewContext('gc')
