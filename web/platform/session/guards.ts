import { redirect } from 'react-router'
import * as paths from '../paths.ts'
import { loadSession, sessionReady } from './load-session.ts'
import { wasSignedIn } from './signed-in-hint.ts'
import { type SessionUser, session } from './store.ts'

/** As `requireSession`, for all pages but one: whoever is suspended is led there. */
export async function requireUser(request: Request): Promise<void> {
  const { suspension } = await requireSession(request)
  if (suspension) throw redirect(paths.suspended())
}

/** For that page. */
export async function requireSuspended(request: Request): Promise<void> {
  const { suspension } = await requireSession(request)
  if (!suspension) throw redirect(paths.home())
}

/**
 * For the loader of a page that needs a user: throws a redirect to the login, which comes back to `request`, or
 * `ApiError` where nobody knows who is signed in because the server cannot be reached.
 */
async function requireSession(request: Request): Promise<SessionUser> {
  if (session.getState().user === null) await loadSession()
  const { user } = session.getState()
  if (user !== null) return user
  const { pathname, search } = new URL(request.url)
  throw redirect(paths.login(pathname + search))
}

/** For the loader of a page that only a visitor needs: throws a redirect to the home page. */
export async function redirectIfSignedIn(): Promise<void> {
  await waitForSession()
  if (session.getState().user === null) return
  session.reset()
  throw redirect(paths.home())
}

/**
 * For the loader of a page that is for everybody. Who was not signed in here before need not wait: should it turn out
 * otherwise, the page follows the session.
 */
export async function waitForSession(): Promise<void> {
  if (wasSignedIn()) await sessionReady()
}
