// Imported first, because it defines the order of the CSS layers.
import './styles.css'

import { type ReactNode, StrictMode, startTransition, useLayoutEffect, useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { keepFocus } from './platform/layout/focus.ts'
import { watchForms } from './platform/layout/unsaved.ts'
import { keepSignedInHint, sessionReady, syncTabs, watchSuspension } from './platform/session/load-session.ts'
import { createRouter, preloadLinkedPages, whenInitialized } from './routes.tsx'

// The CSP forbids code from strings, which zod would try. This is the effect of zod's `config({ jitless: true })`,
// without loading zod.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

keepSignedInHint()
syncTabs()
watchSuspension()
watchForms()
keepFocus()
// Sent in parallel to loading the page's script.
void sessionReady()

ensureHistoryKey()
const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
// At `/` the document shows the landing page to visitors.
const isPrerendered = root.querySelector('.prerendered') !== null
const router = createRouter(isPrerendered)
preloadLinkedPages()
const page = <RouterProvider router={router} />
const app = <StrictMode>{isPrerendered ? <KeepScrollPosition>{page}</KeepScrollPosition> : page}</StrictMode>
// Until then the document shows what is loading. A transition renders in slices, so that a slow phone reacts to input
// during the first rendering.
void whenInitialized(router).then(() => startTransition(() => createRoot(root).render(app)))

/**
 * Gives the document's first history entry a key, as the router does for later ones. Without it all typed addresses in
 * a tab would share one scroll position. A reload keeps the key.
 */
function ensureHistoryKey(): void {
  const entry = history.state as { key?: string } | null
  // biome-ignore lint/plugin/forbidden-in-product: the key is only compared within this tab
  if (!entry?.key) history.replaceState({ ...entry, key: Math.random().toString(36).slice(2, 10) }, '')
}

/**
 * Contains a router whose first page replaces the same page in the document. The router scrolls to the top, but the
 * user may have scrolled before.
 */
function KeepScrollPosition({ children }: { children: ReactNode }) {
  const position = useRef(0)
  const save = () => {
    position.current = window.scrollY
  }
  return (
    <>
      <OnMount run={save} />
      {children}
      <OnMount run={() => window.scrollTo(0, position.current)} />
    </>
  )
}

/** Runs before the page is painted, in the order of the elements. */
function OnMount({ run }: { run: () => void }) {
  useLayoutEffect(run, [run])
  return null
}
