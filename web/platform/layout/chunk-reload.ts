import { type ComponentType, createElement, useEffect, useState } from 'react'
import { type createBrowserRouter, createPath } from 'react-router'
import { showError } from '../ui/toast.ts'
import { hasUnsavedInput } from './unsaved.ts'

const storageKey = 'lectern-reloaded-at'
const retryAfterMs = 10_000

/**
 * A new version of Lectern has replaced scripts of the open page, or a request for one was lost, which browsers do not
 * repeat before the next page load.
 */
const askToReload = () => confirm('Lectern couldn’t load this part. It may have been updated. Reload now?')

/**
 * Handles a missing script of the page that is being opened: reloads at its address, unless the student stays to keep
 * unsaved input. Rejects with `failure` if a reload cannot help: offline, or just tried.
 */
export async function loadAnew(failure: unknown, router: ReturnType<typeof createBrowserRouter>): Promise<never> {
  const { location: current, navigation } = router.state
  if (!navigator.onLine) throw failure
  if (hasUnsavedInput() && !askToReload()) {
    // Replaces the failed navigation, so that the current page stays.
    void router.navigate(current, { replace: true, state: current.state, preventScrollReset: true })
    throw failure
  }
  if (Date.now() - Number(sessionStorage.getItem(storageKey)) < retryAfterMs) throw failure
  sessionStorage.setItem(storageKey, String(Date.now()))
  if (navigation.location) location.assign(createPath(navigation.location))
  else location.reload()
  return new Promise(() => {})
}

/**
 * A component whose script is loaded when it is first shown. `Meanwhile` is rendered until then, or if the script is
 * missing; `isAskedFor` then asks the student to reload, or says that the browser is offline.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isAskedFor = true, Meanwhile }: { isAskedFor?: boolean; Meanwhile?: ComponentType<Props> } = {},
): ComponentType<Props> {
  let loaded = Meanwhile
  return function LazyPart(props) {
    const [Part, setPart] = useState(() => loaded)
    useEffect(() => {
      load().then(
        (part) => {
          loaded = part
          setPart(() => part)
        },
        () => {
          if (!isAskedFor) return
          if (!navigator.onLine) showError('You’re offline. Try again when you reconnect.')
          else if (askToReload()) location.reload()
        },
      )
    }, [])
    return Part && createElement(Part, props)
  }
}
