import { redirect } from 'react-router'
import { loadSchema } from '../../../packages/contract/endpoint.ts'
import { getMe, logOut } from '../../../packages/contract/sessions.endpoints.ts'
import { ApiError, api } from '../api/client.ts'
import * as paths from '../paths.ts'
import { readStored, store } from '../storage.ts'
import { getSessionIdentity, isActiveUser, type SessionUser, session } from './store.ts'

/**
 * Whether a user was last known to be signed in here. Not secret and never trusted: it only saves visitors the wait for
 * a 401.
 */
const storageKey = 'lectern-signed-in'

/** True without storage, so that all pages wait for the response. */
const wasSignedIn = (): boolean => session.getState().user !== null || readStored(storageKey) !== null

export function keepSignedInHint(): void {
  session.subscribe(({ user, message }, before) => {
    if ((user === null) === (before.user === null)) return
    setHint(user !== null)
    // Only a failed logout ends a session with a message.
    if (user !== null || message !== '') setLogoutOwed(user === null)
  })
}

/**
 * Whether the last logout did not reach the server. The cookie is then still valid, but must not restore the session.
 */
const owedKey = 'lectern-logout-owed'

const isLogoutPending = (): boolean => readStored(owedKey) === 'yes'
const setLogoutOwed = (owed: boolean): void => store(owedKey, owed ? 'yes' : null)

const setHint = (signedIn: boolean): void => store(storageKey, signedIn ? 'yes' : null)

let asked: Promise<void> | null = null

/**
 * Asks the server once, silently, for the signed-in user (SPEC.md section 2, "On app start"). Throws `ApiError` if that
 * fails; the next call then asks again.
 */
function loadSession(): Promise<void> {
  asked ??= fetchCurrentUser().catch((failure) => {
    asked = null
    throw failure
  })
  return asked
}

/** Like `loadSession`, but treats a failure as signed out. */
export const sessionReady = (): Promise<void> => loadSession().catch(() => {})

let refreshed: Promise<unknown> = Promise.resolve()

/**
 * Whether a page's data may be requested before the user is known: after a reload the access token arrives one round
 * trip earlier.
 */
export async function canFetchEarly(): Promise<boolean> {
  if (session.getState().user !== null || !wasSignedIn()) return false
  void sessionReady()
  await refreshed.catch(() => {})
  return session.getState().user === null && api.hasAccessToken()
}

/** Stores the user that the server returns. Throws `ApiError` if it cannot be reached. */
export async function fetchCurrentUser(): Promise<void> {
  try {
    if (isLogoutPending()) {
      await api.call(logOut, { skipSessionExpiry: true })
      setLogoutOwed(false)
      return
    }
    if (wasSignedIn()) preloadSchemas()
    // After a reload only the refresh cookie identifies the session.
    if (!api.hasAccessToken()) {
      refreshed = api.refresh({ ifAny: true })
      await refreshed
    }
    const { user } = await api.call(getMe, { skipSessionExpiry: true })
    session.setUser(user)
  } catch (failure) {
    const nobodyIsSignedIn = failure instanceof ApiError && (failure.status === 401 || failure.status === 403)
    if (!nobodyIsSignedIn) throw failure
    setHint(false)
  }
}

/** A tab that missed the login of a suspended user notices it by a 403 and then reloads the user. */
export function watchSuspension(): void {
  let isAsking = false
  api.onSuspended(async () => {
    if (isAsking || !isActiveUser(session.getState())) return
    isAsking = true
    await fetchCurrentUser().catch(() => {})
    isAsking = false
  })
}

/** Loads the response schemas during the request; visitors do not need them. */
function preloadSchemas(): void {
  // A failure is reported when the response is parsed.
  loadSchema(getMe.responses[200]).catch(() => {})
}

/** The signed-in user, sent to other tabs. Not secret: each tab asks the server itself. */
type Notice = { who: string | null }

/** Applies a login or logout to all tabs of this browser, because they share the refresh cookie. */
export function syncTabs(): void {
  const channel = new BroadcastChannel('lectern-session')
  let following = false

  session.subscribe((now, before) => {
    const who = getSessionIdentity(now)
    if (following || who === getSessionIdentity(before)) return
    channel.postMessage({ who } satisfies Notice)
  })

  channel.onmessage = async ({ data }: MessageEvent<Notice>) => {
    if (data.who === getSessionIdentity(session.getState())) return
    following = true
    try {
      api.setAccessToken(null)
      if (data.who !== null) await fetchCurrentUser().catch(() => {})
      // Another user's page must not stay, even if the server cannot be reached.
      if (getSessionIdentity(session.getState()) !== data.who) session.clearUser()
    } finally {
      following = false
    }
  }
}

/** Like `requireSession`, but redirects suspended users to their own page. */
export async function requireUser(request: Request): Promise<void> {
  const { suspension } = await requireSession(request)
  if (suspension) throw redirect(paths.suspended())
}

/** For the page of suspended users. */
export async function requireSuspended(request: Request): Promise<void> {
  const { suspension } = await requireSession(request)
  if (!suspension) throw redirect(paths.home())
}

/** The address that a loader's request asks for, with the hash, which the router leaves out. */
export function addressOf(request: Request): string {
  const { pathname, search } = new URL(request.url)
  // After a click on a link, the address bar still shows the page before, with its hash.
  const isShown = location.pathname === pathname && location.search === search
  return pathname + search + (isShown ? location.hash : '')
}

/**
 * For loaders of pages for users: throws a redirect to the login, which returns to `request`, or `ApiError` if the
 * server cannot be reached.
 */
async function requireSession(request: Request): Promise<SessionUser> {
  if (session.getState().user === null) await loadSession()
  const { user } = session.getState()
  if (user !== null) return user
  throw redirect(paths.login(addressOf(request)))
}

/** For loaders of pages for visitors only: throws a redirect to the home page. */
export async function redirectIfSignedIn(): Promise<void> {
  await waitForSession()
  if (session.getState().user === null) return
  session.reset()
  throw redirect(paths.home())
}

/**
 * For loaders of pages that differ for users and visitors. Throws `ApiError` if a user was signed in here before and the
 * server cannot be reached.
 */
export async function requireKnownSession(): Promise<void> {
  if (session.getState().user === null && wasSignedIn()) await loadSession()
}

/**
 * For loaders of pages for everyone. It waits only if a user was signed in here before; otherwise the page updates when
 * the session is known.
 */
export async function waitForSession(): Promise<void> {
  if (wasSignedIn()) await sessionReady()
}
