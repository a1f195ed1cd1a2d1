import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { showError } from '../ui/toast.ts'

const edited = new Set<Element>()
const checks = new Set<() => boolean>()

/** Registers input outside of forms that a reload would lose. @returns a function that unregisters it. */
export function addUnsavedCheck(isUnsaved: () => boolean): () => void {
  checks.add(isUnsaved)
  return () => void checks.delete(isUnsaved)
}

/** Whether any form or registered check has unsent input. Search forms do not count. */
export const hasUnsavedInput = (): boolean =>
  [...edited].some((field) => field.isConnected) || [...checks].some((isUnsaved) => isUnsaved())

/** Registers the fields of forms as the user types. */
export function watchForms(): void {
  document.addEventListener('input', ({ target }) => {
    if (target instanceof Element && target.closest('form') && !target.closest('search')) edited.add(target)
  })
  document.addEventListener('submit', ({ target }) => {
    for (const field of edited) if (!field.isConnected || field.closest('form') === target) edited.delete(field)
  })
}

/**
 * Keeps the student on the page while `isNeeded` returns true, because leaving would abort or lose something.
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
    const unregister = addUnsavedCheck(() => latest.current())
    return () => {
      window.removeEventListener('beforeunload', ask)
      unregister()
    }
  }, [])
}
