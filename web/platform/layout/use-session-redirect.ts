import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigation, useRevalidator } from 'react-router'
import * as paths from '../paths.ts'
import { getSessionIdentity, session, useSession } from '../session/store.ts'
import { showError, showSuccess } from '../ui/toast.ts'

/**
 * SPEC.md section 4, "Screen rule": whoever was signed in and no longer is goes to the login, with the message that
 * says why. What the cache holds is one student's: it goes with that student.
 */
export function useSessionRedirect(): void {
  const who = useSession(getSessionIdentity)
  const before = useRef(who)
  const location = useLocation()
  const pending = useNavigation().location
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()

  useEffect(() => {
    const previous = before.current
    before.current = who
    if (previous === who || previous === null) return
    if (who !== null) {
      // Another tab logged in as somebody else, or since an account was suspended or its suspension lifted.
      void forgetQueries().then(revalidate)
      return
    }
    const { isError, isSuccess } = session.getState()
    if (isError) showError('Session expired. Please log in again.')
    else if (isSuccess) showSuccess('Logout successful!')
    session.reset()
    const { pathname, search } = pending ?? location
    const next = isSuccess ? undefined : pathname + search
    // Only once the page that shows it is gone: it would ask for everything again.
    void Promise.resolve(navigate(paths.login(next))).then(forgetQueries)
  }, [who, location, pending, navigate, revalidate])
}

async function forgetQueries(): Promise<void> {
  const queries = await import('../api/QueryProvider.tsx')
  queries.clearQueryCache()
}
