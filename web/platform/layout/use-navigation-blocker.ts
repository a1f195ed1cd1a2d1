import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { showError } from '../ui/toast.ts'

/**
 * Keeps the student on the page while `isNeeded` says so: leaving would break off what is under way.
 * @param reason what is said to who wants to leave.
 */
export function useNavigationBlocker(isNeeded: () => boolean, reason: string): void {
  const latest = useRef(isNeeded)
  useEffect(() => {
    latest.current = isNeeded
  })

  const blocker = useBlocker(() => latest.current())
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    blocker.reset()
    showError(reason)
  }, [blocker, reason])

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (latest.current()) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
}
