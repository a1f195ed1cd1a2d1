// Imported first, because it defines the order of the CSS layers.
import './styles.css'

import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { ensureHistoryKey } from './platform/layout/history-entry.ts'
import { KeepScrollPosition } from './platform/layout/KeepScrollPosition.tsx'
import { keepFocus } from './platform/layout/keep-focus.ts'
import { watchForms } from './platform/layout/unsaved.ts'
import { sessionReady, watchSuspension } from './platform/session/load-session.ts'
import { keepSignedInHint } from './platform/session/signed-in-hint.ts'
import { syncTabs } from './platform/session/sync-tabs.ts'
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
// At `/` the document shows the landing page, until the same page is loaded or, for a user, their own.
const isPrerendered = root.querySelector('.prerendered') !== null
const router = createRouter(isPrerendered)
preloadLinkedPages()
const ready = isPrerendered ? whenInitialized(router) : Promise.resolve()
const page = <RouterProvider router={router} />
const app = <StrictMode>{isPrerendered ? <KeepScrollPosition>{page}</KeepScrollPosition> : page}</StrictMode>
// A transition renders in slices, so that a slow phone reacts to input during the first rendering.
void ready.then(() => startTransition(() => createRoot(root).render(app)))
