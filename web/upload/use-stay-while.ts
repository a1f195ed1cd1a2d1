import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { showError } from '../ui/toast.ts'

/** Keeps the student on the page while `isNeeded` says so: leaving would break off what is under way. */
export function useStayWhile(isNeeded: () => boolean): void {
  const latest = useRef(isNeeded)
  useEffect(() => {
    latest.current = isNeeded
  })

  const blocker = useBlocker(() => latest.current())
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    blocker.reset()
    showError('Your upload is still under way. Cancel it first to leave this page.')
  }, [blocker])

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (latest.current()) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
}
