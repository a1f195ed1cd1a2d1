import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { showError } from '../ui/toast.ts'

/**
 * Keeps the student on the page while `isNeeded` returns true, because leaving would abort the work in progress.
 * @param reason the message for a student who tries to leave.
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
