import {
  matchQuery,
  onlineManager,
  type Query,
  QueryClient,
  QueryClientProvider,
  type QueryFunctionContext,
  type QueryKey,
} from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { ApiError, api } from './client.ts'
import { pause } from './pause.ts'
import { writeEffects } from './write-effects.ts'

/**
 * The cache of all server data. Requests are sent even if the browser reports that it is offline: a loader that waited
 * would block its page forever, but a failure can be shown.
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

/**
 * For pages that need more from the server than the session. This script is loaded with the page, not in the first load.
 */
export const QueryProvider = ({ children }: { children: ReactNode }) =>
  createElement(QueryClientProvider, { client: queryClient }, children)

// Other users change these, so a visit refetches. `staleTime` only avoids a second request right after the loader's.
for (const name of ['settings', 'admin', 'moderation', 'author-cases'])
  queryClient.setQueryDefaults([name], { staleTime: 1_000 })

const cache = queryClient.getQueryCache()
const isAffected = (keys: QueryKey[] | undefined, query: Query) =>
  keys?.some((queryKey) => matchQuery({ queryKey }, query)) ?? false

/** Asks for what is new in displayed data that is not fresh. */
export const refreshDisplayed = (queryKey: QueryKey): Promise<void> =>
  queryClient.refetchQueries({ queryKey, exact: true, type: 'active', stale: true })

/** A failed list is refetched when the connection returns, not whenever it is shown. */
onlineManager.subscribe((isOnline) => {
  for (const query of isOnline ? cache.getAll() : []) {
    const { status, data, fetchStatus } = query.state
    const hasFailed = status === 'error' && data === undefined && fetchStatus === 'idle'
    if (hasFailed && query.getObserversCount() > 0) query.fetch().catch(() => {})
  }
})

/** Pending writes except uploads, which may take minutes, so that no query waits for them. */
const writes = new Set<{ keys: QueryKey[]; answered: Promise<unknown> }>()
/** Queries whose data is older than a write. */
const stale = new WeakSet<Query>()

api.onWrite(({ method, path, multipart }, answer) => {
  const { outdated = [], patched = [] } = writeEffects[`${method} ${path}`] ?? {}
  const keys = [...outdated, ...patched]
  const write = { keys, answered: answer.catch(() => {}) }
  if (!multipart) {
    writes.add(write)
    restart(keys)
  }
  const settle = (failure?: unknown) => {
    writes.delete(write)
    if (multipart) restart(keys)
    // The session has ended, and the page with it.
    if (failure instanceof ApiError && failure.status === 401) return
    for (const query of cache.getAll()) if (isAffected(outdated, query)) outdate(query)
  }
  answer.then(() => settle(), settle)
})

/** Drops a response that may predate the write. Callers that wait for it get the new one. */
function restart(keys: QueryKey[]): void {
  for (const query of cache.getAll()) {
    const { fetchStatus, fetchMeta } = query.state
    if (fetchStatus === 'idle' || fetchMeta?.fetchMore || !isAffected(keys, query)) continue
    void query.cancel({ silent: true })
    query.fetch().catch(() => {})
  }
}

/** Calls every query function after the pending writes to its data. */
async function askAfterWrites<T, Key extends QueryKey>(
  ask: (context: QueryFunctionContext<Key>) => T | Promise<T>,
  context: QueryFunctionContext<Key>,
  query: Query,
): Promise<T> {
  for (;;) {
    const open = [...writes].filter(({ keys }) => isAffected(keys, query))
    if (open.length === 0) break
    await Promise.all(open.map(({ answered }) => answered))
    // Several changes are sent one after another: a request after the last one is enough.
    await pause(0, context.signal)
  }
  const answer = await ask(context)
  // A further page does not refresh the others.
  if (!context.signal.aborted && !query.state.fetchMeta?.fetchMore) stale.delete(query)
  return answer
}

/**
 * Removes queries that are not displayed and refetches the others. Lists of notes stay until the next visit: a displayed
 * one so that a note unliked by mistake can be liked again and no content shifts, another one because the page whose
 * loader has just read it needs the number of its pages.
 */
function outdate(query: Query): void {
  const [name, kind] = query.queryKey
  const isIdle = query.state.fetchStatus === 'idle'
  if (isIdle && query.getObserversCount() === 0 && name !== 'notes') cache.remove(query)
  else stale.add(query)
  if (!isIdle) return
  query.invalidate()
  if (name !== 'notes' || kind === 'grouped') setTimeout(() => query.isActive() && query.fetch().catch(() => {}))
}

cache.subscribe((event) => {
  // Adding a page or removing a note does not refresh an outdated list.
  if (event.type === 'updated' && event.action.type === 'success' && stale.has(event.query)) outdate(event.query)
})
