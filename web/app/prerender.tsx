import { renderToString } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router'
import { Landing } from '../features/home/Landing.tsx'
import { CardGridSkeleton } from '../features/notes/card/CardSkeleton.tsx'
import { Logo, NavigationBar } from './NavigationBar.tsx'
import './layout.css'
import './navigation-bar.css'

/** What a page shows until it is loaded. On lists of notes, `layout.css` also shows the skeleton. */
const Loading = () => (
  <>
    <main className="page loading-page" aria-busy="true">
      <div className="layout-progress" aria-hidden="true" />
      <p className="visually-hidden">Loading</p>
      <div className="loading-notes" aria-hidden="true">
        <div className="skeleton loading-search" />
        <div className="skeleton loading-title" />
        <CardGridSkeleton isCompact={false} />
      </div>
    </main>
    <p role="status" className="text-soft loading-slow">
      Still loading. Check your connection, or {/* biome-ignore lint/a11y/useValidAnchor: the address of this page */}
      <a href="" className="link">
        reload this page
      </a>
      .
    </p>
  </>
)

const LoadingPage = () => (
  <>
    <header className="navigation-bar">
      <div className="navigation-bar-inner">
        <span className="navigation-bar-brand">
          <Logo />
          Lectern
        </span>
      </div>
    </header>
    <Loading />
  </>
)

const LandingPage = () => (
  <div className="layout prerendered">
    <header className="navigation-bar">
      <NavigationBar />
    </header>
    <main>
      <Landing />
    </main>
    <Loading />
  </div>
)

/** Renders what `index.html` and `landing.html` contain, when the pages are built. */
export async function prerender(): Promise<{ index: string; landing: string }> {
  const routes = [{ path: '/', Component: LandingPage }]
  const { query, dataRoutes } = createStaticHandler(routes)
  const context = await query(new Request('http://localhost/'))
  if (context instanceof Response) throw new Error('The landing page redirects')
  const landing = (
    <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} hydrate={false} />
  )
  return { index: renderToString(<LoadingPage />), landing: renderToString(landing) }
}
