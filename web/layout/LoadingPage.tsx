import { Skeleton } from '../ui/Skeleton.tsx'
import './loading-page.css'
import { Logo } from './Logo.tsx'
import './navigation-bar.css'

/** Before the first page is there: the bar without its links, and the shape of a page. */
export function LoadingPage() {
  return (
    <>
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
        <Skeleton className="loading-page-title" />
        <Skeleton className="loading-page-body" />
      </main>
    </>
  )
}
