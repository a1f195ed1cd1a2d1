import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createPath } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { reloadOnMissingPart } from './layout/missing-part.ts'
import { createRouter } from './routes.tsx'
import { sessionReady } from './session/start.ts'
import { followOtherTabs } from './session/tabs.ts'

followOtherTabs()
// Asked at once, while the page's own part is still on its way.
void sessionReady()
const router = createRouter()
reloadOnMissingPart(() => router.state.navigation.location && createPath(router.state.navigation.location))

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
