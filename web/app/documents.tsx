import { renderToString } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router'
import { Landing } from '../features/home/Landing.tsx'
import { NavigationBar } from './NavigationBar.tsx'
import './layout.css'
import './navigation-bar.css'

/** What visitors see first. The class lets `index.html` hide it from users who are signed in. */
const LandingDocument = () => (
  <div className="layout prerendered">
    <header className="navigation-bar">
      <NavigationBar />
    </header>
    <main>
      <Landing />
    </main>
  </div>
)

/** Renders the landing page to HTML, when the pages are built. */
export async function renderLanding(): Promise<string> {
  const routes = [{ path: '/', Component: LandingDocument }]
  const { query, dataRoutes } = createStaticHandler(routes)
  const context = await query(new Request('http://localhost/'))
  if (context instanceof Response) throw new Error('The landing page redirects')
  return renderToString(
    <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} hydrate={false} />,
  )
}
