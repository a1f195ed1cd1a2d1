import { loadSchema } from '../../../packages/contract/endpoint.ts'
import { getMe, logOut } from '../../../packages/contract/sessions.endpoints.ts'
import { ApiError, api } from '../api/client.ts'
import { isLogoutPending, setHint, setLogoutOwed, wasSignedIn } from './signed-in-hint.ts'
import { isActiveUser, session } from './store.ts'

let asked: Promise<void> | null = null

/**
 * Asks the server once, silently, for the signed-in user (SPEC.md section 2, "On app start"). Throws `ApiError` if that
 * fails; the next call then asks again.
 */
export function loadSession(): Promise<void> {
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
  if (session.getState().user !== null) return false
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
