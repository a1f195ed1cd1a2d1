import {
  matchQuery,
  onlineManager,
  type Query,
  QueryClient,
  type QueryFunctionContext,
  type QueryKey,
} from '@tanstack/react-query'
import { reportQueryActivity } from './activity.ts'
import { ApiError, api } from './client.ts'
import { pause } from './pause.ts'
import { writeEffects } from './write-effects.ts'

/**
 * The cache of everything the server told us. Requests are tried even while the browser believes to be offline: a
 * loader that waited for the connection would hold its page back for ever, whereas a failure can be shown.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 30 * 60_000,
      retry: false,
      networkMode: 'always',
      refetchOnReconnect: true,
      persister: askAfterWrites,
    },
    mutations: { networkMode: 'always' },
  },
})

// Others change these meanwhile, so a visit asks again. A page does not ask once more for what its loader has just got.
for (const name of ['settings', 'admin', 'moderation']) queryClient.setQueryDefaults([name], { staleTime: 1_000 })

const cache = queryClient.getQueryCache()
const isAffected = (keys: QueryKey[] | undefined, query: Query) =>
  keys?.some((queryKey) => matchQuery({ queryKey }, query)) ?? false

/** A list that failed does not ask by itself each time it is shown, but once there is a connection again. */
onlineManager.subscribe((isOnline) => {
  for (const query of isOnline ? cache.getAll() : []) {
    const { status, data, fetchStatus } = query.state
    const hasFailed = status === 'error' && data === undefined && fetchStatus === 'idle'
    if (hasFailed && query.getObserversCount() > 0) query.fetch().catch(() => {})
  }
})

/** Writes under way, but for uploads: those may take minutes, so no query waits for them. */
const writes = new Set<{ keys: QueryKey[]; answered: Promise<unknown> }>()
/** Queries whose data is older than a write. */
const stale = new WeakSet<Query>()

api.onWrite(({ method, path, form }, answer) => {
  const { outdated = [], patched = [] } = writeEffects[`${method} ${path}`] ?? {}
  const keys = [...outdated, ...patched]
  const write = { keys, answered: answer.catch(() => {}) }
  if (!form) {
    writes.add(write)
    restart(keys)
  }
  const settle = (failure?: unknown) => {
    writes.delete(write)
    if (form) restart(keys)
    // The session is over, and what is shown with it.
    if (failure instanceof ApiError && failure.status === 401) return
    for (const query of cache.getAll()) if (isAffected(outdated, query)) outdate(query)
  }
  answer.then(() => settle(), settle)
})

/** The response may be older than the write: it is dropped. Callers that wait for it get the one of the new request. */
function restart(keys: QueryKey[]): void {
  for (const query of cache.getAll()) {
    const { fetchStatus, fetchMeta } = query.state
    if (fetchStatus === 'idle' || fetchMeta?.fetchMore || !isAffected(keys, query)) continue
    void query.cancel({ silent: true })
    query.fetch().catch(() => {})
  }
}

/** Calls every query function, once no write to what it asks for is under way. */
async function askAfterWrites<T, Key extends QueryKey>(
  ask: (context: QueryFunctionContext<Key>) => T | Promise<T>,
  context: QueryFunctionContext<Key>,
  query: Query,
): Promise<T> {
  for (;;) {
    const open = [...writes].filter(({ keys }) => isAffected(keys, query))
    if (open.length === 0) break
    await Promise.all(open.map(({ answered }) => answered))
    // Several changes are sent one after another: it is enough to ask after the last one.
    await pause(0, context.signal)
  }
  const answer = await ask(context)
  // One more page leaves the others as old as they are.
  if (!context.signal.aborted && !query.state.fetchMeta?.fetchMore) stale.delete(query)
  return answer
}

/**
 * Drops what is not on display. What is, is asked again, but for lists of notes, which stay until they are next visited:
 * a note unliked by mistake can be liked again where it is, and nothing jumps under the finger.
 */
function outdate(query: Query): void {
  const isIdle = query.state.fetchStatus === 'idle'
  if (isIdle && query.getObserversCount() === 0) cache.remove(query)
  else stale.add(query)
  if (!isIdle) return
  query.invalidate()
  const [name, kind] = query.queryKey
  if (name !== 'notes' || kind === 'grouped') setTimeout(() => query.isActive() && query.fetch().catch(() => {}))
}

/** Lists of which more is on its way. Looked up at every event of a change: to go through hundreds of notes takes longer. */
const growing = new Set<Query>()

/**
 * A change that is being sent, unless its outcome is on display already, or more of a list: what is refreshed behind a
 * page that is already there is not.
 */
const report = () =>
  reportQueryActivity(
    queryClient.isMutating({ predicate: ({ meta }) => meta?.isAwaited !== false }) > 0 || growing.size > 0,
  )
queryClient.getMutationCache().subscribe(report)
cache.subscribe((event) => {
  const { query, type } = event
  // A page that was added, or a note that was taken out, does not make an outdated list current.
  if (type === 'updated' && event.action.type === 'success' && stale.has(query)) outdate(query)
  const { fetchStatus, fetchMeta } = query.state
  const isGrowing = type !== 'removed' && fetchStatus === 'fetching' && fetchMeta?.fetchMore !== undefined
  if (isGrowing === growing.has(query)) return
  if (isGrowing) growing.add(query)
  else growing.delete(query)
  report()
})
