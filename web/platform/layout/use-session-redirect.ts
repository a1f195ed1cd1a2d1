import { useEffect, useRef } from 'react'
import { type createBrowserRouter, useNavigate, useRevalidator } from 'react-router'
import * as paths from '../paths.ts'
import { getSessionIdentity, session, useSession } from '../session/store.ts'
import { showError, showSuccess } from '../ui/toast.ts'

type Router = Pick<ReturnType<typeof createBrowserRouter>, 'state'>
let router: Router | undefined

/** Must be called with the router, because `useNavigation` reports a navigation only once it is rendered. */
export function setRouterOfSession(of: Router): void {
  router = of
}

/**
 * SPEC.md section 4, "Screen rule": a user whose session ended is sent to the login with the reason. The cache belongs
 * to one user and is cleared with the session.
 */
export function useSessionRedirect(): void {
  const who = useSession(getSessionIdentity)
  const before = useRef(who)
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()

  useEffect(() => {
    const previous = before.current
    before.current = who
    if (previous === who || previous === null) return
    if (who !== null) {
      // Another tab logged in as another user, or a suspension began or ended.
      void forgetQueries().then(revalidate)
      return
    }
    const { isError, isSuccess } = session.getState()
    if (isError) showError('Session expired. Please log in again.')
    else if (isSuccess) showSuccess('Logout successful!')
    session.reset()
    // The reader changes the address without the router, so `useLocation` may be older.
    const { pathname, search, hash } = router?.state.navigation.location ?? window.location
    const next = isSuccess ? undefined : pathname + search + hash
    // Only after the page is left: it would refetch everything.
    void Promise.resolve(navigate(paths.login(next))).then(forgetQueries)
  }, [who, navigate, revalidate])
}

async function forgetQueries(): Promise<void> {
  // This script is loaded whenever there are queries, so it also works offline.
  const { queryClient } = await import('../api/query-client.ts')
  queryClient.clear()
}
