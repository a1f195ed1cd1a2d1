import { loadSchema } from '../../../packages/contract/endpoint.ts'
import { getMe, logOut } from '../../../packages/contract/sessions.endpoints.ts'
import { ApiError, api } from '../api/client.ts'
import { isLogoutPending, setHint, setLogoutOwed, wasSignedIn } from './signed-in-hint.ts'
import { isActiveUser, session } from './store.ts'

let asked: Promise<void> | null = null

/**
 * Resolves once the server has said whether somebody is signed in. It is asked once, silently (SPEC.md section 2, "On
 * app start"). Throws `ApiError` where it could not say; the next call then asks again.
 */
export function loadSession(): Promise<void> {
  asked ??= fetchCurrentUser().catch((failure) => {
    asked = null
    throw failure
  })
  return asked
}

/** As `askSession`, for who may go on either way: a server that cannot say counts as "nobody". */
export const sessionReady = (): Promise<void> => loadSession().catch(() => {})

let refreshed: Promise<unknown> = Promise.resolve()

/**
 * Whether what a page of who is signed in shows may be asked for before it is known who that is: a reload has the
 * access token a round trip earlier.
 */
export async function canFetchEarly(): Promise<boolean> {
  if (session.getState().user !== null) return false
  void sessionReady()
  await refreshed.catch(() => {})
  return session.getState().user === null && api.hasAccessToken()
}

/** Takes over who the server says is signed in. Throws `ApiError` where it cannot say. */
export async function fetchCurrentUser(): Promise<void> {
  try {
    if (isLogoutPending()) {
      await api.call(logOut, { skipSessionExpiry: true })
      setLogoutOwed(false)
      return
    }
    if (wasSignedIn()) prepareShapes()
    // Nothing is in memory after a reload: the refresh cookie alone knows the session.
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

/** A tab that was not told of the login of somebody suspended learns of it by a refusal, and asks who that is. */
export function watchSuspension(): void {
  let isAsking = false
  api.onSuspended(async () => {
    if (isAsking || !isActiveUser(session.getState())) return
    isAsking = true
    await fetchCurrentUser().catch(() => {})
    isAsking = false
  })
}

/** The shapes of the answers to come are fetched while the server is asked; a visitor does without them. */
function prepareShapes(): void {
  // A failure shows when the answer is read.
  loadSchema(getMe.answers[200]).catch(() => {})
}
