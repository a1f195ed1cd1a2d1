// First, for the order of its layers.
import './styles.css'

import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { ensureHistoryKey } from './platform/layout/history-entry.ts'
import { sessionReady, watchSuspension } from './platform/session/load-session.ts'
import { keepSignedInHint } from './platform/session/signed-in-hint.ts'
import { syncTabs } from './platform/session/sync-tabs.ts'
import { createRouter, preloadLinkedPages } from './routes.tsx'

// The pages' security policy forbids making code from text, which zod would try. This is what its own
// `config({ jitless: true })` sets; that would bring zod into the first load.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

keepSignedInHint()
syncTabs()
watchSuspension()
// Asked at once, while the page's own part is still on its way.
void sessionReady()

ensureHistoryKey()
const router = createRouter()
preloadLinkedPages()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
const app = (
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>
)
// In slices: on a slow phone the first rendering would otherwise hold up whatever is pressed meanwhile.
startTransition(() => createRoot(root).render(app))
