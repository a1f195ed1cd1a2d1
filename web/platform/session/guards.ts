import { redirect } from 'react-router'
import * as paths from '../paths.ts'
import { loadSession, sessionReady } from './load-session.ts'
import { wasSignedIn } from './signed-in-hint.ts'
import { type SessionUser, session } from './store.ts'

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

/**
 * For loaders of pages for users: throws a redirect to the login, which returns to `request`, or `ApiError` if the
 * server cannot be reached.
 */
async function requireSession(request: Request): Promise<SessionUser> {
  if (session.getState().user === null) await loadSession()
  const { user } = session.getState()
  if (user !== null) return user
  const { pathname, search } = new URL(request.url)
  throw redirect(paths.login(pathname + search))
}

/** For loaders of pages for visitors only: throws a redirect to the home page. */
export async function redirectIfSignedIn(): Promise<void> {
  await waitForSession()
  if (session.getState().user === null) return
  session.reset()
  throw redirect(paths.home())
}

/**
 * For loaders of pages for everyone. It waits only if a user was signed in here before; otherwise the page updates when
 * the session is known.
 */
export async function waitForSession(): Promise<void> {
  if (wasSignedIn()) await sessionReady()
}
