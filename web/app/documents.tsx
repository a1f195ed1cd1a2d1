import { renderToString } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router'
import { Landing } from '../features/home/Landing.tsx'
import { CardGridSkeleton } from '../features/notes/card/CardSkeleton.tsx'
import { Logo, NavigationBar } from './NavigationBar.tsx'
import './layout.css'
import './navigation-bar.css'

const LoadingMain = () => (
  <main className="page document-loading" aria-busy="true">
    <div className="layout-progress" aria-hidden="true" />
    <p className="visually-hidden">Loading</p>
    <p className="text-soft document-slow">
      Still loading. Check your connection, or {/* biome-ignore lint/a11y/useValidAnchor: the address of this page */}
      <a href="" className="link">
        reload this page
      </a>
      .
    </p>
    <div className="document-notes" aria-hidden="true">
      <div className="skeleton document-search" />
      <div className="skeleton document-title" />
      <CardGridSkeleton isCompact={false} />
    </div>
  </main>
)

const LoadingDocument = () => (
  <>
    <header className="navigation-bar">
      <div className="navigation-bar-inner">
        <span className="navigation-bar-brand">
          <Logo />
          Lectern
        </span>
      </div>
    </header>
    <LoadingMain />
  </>
)

const LandingDocument = () => (
  <div className="layout prerendered">
    <header className="navigation-bar">
      <NavigationBar />
    </header>
    <main>
      <Landing />
    </main>
    <LoadingMain />
  </div>
)

/** Renders the content of the documents to HTML, when the pages are built. */
export async function renderDocuments(): Promise<{ index: string; landing: string }> {
  const routes = [{ path: '/', Component: LandingDocument }]
  const { query, dataRoutes } = createStaticHandler(routes)
  const context = await query(new Request('http://localhost/'))
  if (context instanceof Response) throw new Error('The landing page redirects')
  const landing = (
    <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} hydrate={false} />
  )
  return { index: renderToString(<LoadingDocument />), landing: renderToString(landing) }
}
