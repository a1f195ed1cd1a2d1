import './layout.css'
import { Logo } from '../platform/layout/Logo.tsx'
import './navigation-bar.css'

/** Before the first page is there: the bar without its links. What the page is shaped like, only its own part knows. */
export function LoadingPage() {
  return (
    <>
      <div className="layout-progress" aria-hidden="true" />
      <header className="navigation-bar">
        <div className="navigation-bar-inner">
          <span className="navigation-bar-brand">
            <Logo />
            Lectern
          </span>
        </div>
      </header>
      <main className="page" aria-busy="true">
        <p className="visually-hidden">Loading</p>
      </main>
    </>
  )
}
