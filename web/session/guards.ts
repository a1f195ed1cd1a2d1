import { redirect } from 'react-router'
import type { User } from '../../contract/sessions.ts'
import * as paths from '../paths.ts'
import { sessionReady } from './start.ts'
import { session } from './store.ts'

/** For the loader of a page that needs a user: throws a redirect to the login, which comes back to `request`. */
export async function requireUser(request: Request): Promise<User> {
  await sessionReady()
  const { user } = session.getState()
  if (user !== null) return user
  const { pathname, search } = new URL(request.url)
  throw redirect(paths.login(pathname + search))
}

/** For the loader of a page that only a visitor needs: throws a redirect to the home page. */
export async function redirectIfSignedIn(): Promise<void> {
  await sessionReady()
  if (session.getState().user !== null) throw redirect(paths.home())
}
