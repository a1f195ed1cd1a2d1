import { Skeleton } from '../ui/Skeleton.tsx'
import { Logo } from './Logo.tsx'

/** Before the first page is there: the bar without its links, and the shape of a page. */
export function LoadingPage() {
  return (
    <>
      <header className="topbar">
        <div className="topbar-inner">
          <span className="brand">
            <Logo />
            Lectern
          </span>
        </div>
      </header>
      <main className="page" aria-busy="true">
        <p className="sr-only">Loading</p>
        <Skeleton className="h-10 w-64 max-w-full" />
        <Skeleton className="mt-6 h-40" />
      </main>
    </>
  )
}
