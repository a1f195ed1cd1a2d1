// biome-ignore lint/plugin/forbidden-code: `gc` is only reachable by a flag and from a new context
import { setFlagsFromString } from 'node:v8'
// biome-ignore lint/plugin/forbidden-code: `gc` is only reachable by a flag and from a new context
import { runInNewContext } from 'node:vm'

/** V8's own, which Node hands out to who asks for it by a flag. In this folder, since its processes read no other. */
setFlagsFromString('--expose-gc')
export const collectGarbage: NodeJS.GCFunction = runInNewContext('gc')
