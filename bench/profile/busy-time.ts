import type { Profile } from './record.ts'

const idle = 'idle'

/**
 * Milliseconds that the main thread was busy, by whose code ran. What Node itself does for a package, writing to sockets above all,
 * counts as the package's: whoever calls less has less of it. What nobody is seen to have called, such as the reading of sockets,
 * is Node's own.
 */
export function sumBusyTime({ nodes, samples, timeDeltas }: Profile): Map<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const owners = new Map<number, string>()
  const visit = (id: number, caller: string) => {
    const node = byId.get(id)
    if (!node) return
    const owner = ownerOf(node.callFrame) ?? caller
    owners.set(id, owner)
    for (const child of node.children ?? []) visit(child, owner)
  }
  if (nodes[0]) visit(nodes[0].id, 'Node')
  const sums = new Map<string, number>()
  samples.forEach((id, at) => {
    const owner = owners.get(id) ?? 'Node'
    if (owner !== idle) sums.set(owner, (sums.get(owner) ?? 0) + (timeDeltas[at] ?? 0) / 1000)
  })
  return sums
}

/** Null where it is its caller's. */
function ownerOf({ functionName, url }: { functionName: string; url: string }): string | null {
  if (functionName === '(idle)') return idle
  if (functionName === '(garbage collector)') return 'Collection of garbage'
  if (functionName === '(program)') return 'Node'
  const [, inside] = /^.*\/node_modules\/(.+)$/.exec(url) ?? []
  if (inside) return packageOf(inside)
  return url.startsWith('file:') ? 'Lectern' : null
}

/** One name for what is one part to us. */
function packageOf(inside: string): string {
  const [scope = '', name = ''] = inside.split('/')
  if (scope.startsWith('@fastify') || fastifyParts.has(scope)) return 'Fastify'
  if (scope.startsWith('pg')) return scope === 'pg-boss' ? scope : 'pg'
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}

const fastifyParts = new Set(['fastify', 'find-my-way', 'avvio', 'light-my-request', 'secure-json-parse'])
