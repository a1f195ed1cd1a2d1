import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { session, useSession } from '../../platform/session/store.ts'

/** Leaves a visitor's page when a user signs in, here or in another tab, and clears the session's status. */
export function useRedirectIfSignedIn(to: string): void {
  const signedIn = useSession((state) => state.user !== null)
  const navigate = useNavigate()
  useEffect(() => {
    if (!signedIn) return
    session.reset()
    void navigate(to, { replace: true })
  }, [signedIn, to, navigate])
}
