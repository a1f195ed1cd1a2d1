import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { session, useSession } from '../../platform/session/store.ts'

/** A page for visitors is left as soon as somebody is signed in, be it here or in another tab. The state is cleared. */
export function useRedirectIfSignedIn(to: string): void {
  const signedIn = useSession((state) => state.user !== null)
  const navigate = useNavigate()
  useEffect(() => {
    if (!signedIn) return
    session.reset()
    void navigate(to, { replace: true })
  }, [signedIn, to, navigate])
}
