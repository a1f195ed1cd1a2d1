import './layout.css'
import { Logo } from '../platform/layout/Logo.tsx'
import './navigation-bar.css'

/** Shown before the first page has loaded: the bar without links. Each page loads its own skeleton. */
export const LoadingPage = () => (
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
