import { Outlet, ScrollRestoration, useNavigation } from 'react-router'
import { useSession } from '../session/store.ts'
import { LazyToaster } from './LazyToaster.tsx'
import { NavigationBar } from './NavigationBar.tsx'
import { OfflineNotice } from './OfflineNotice.tsx'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'
import { usePageTitle } from './use-page-title.ts'
import { useSessionScreenRule } from './use-session-screen-rule.ts'

/** What every page stands in. */
export function Layout() {
  const signedIn = useSession((state) => state.user !== null)
  const navigating = useNavigation().state !== 'idle'
  usePageTitle()
  useFocusOnNavigation()
  useSessionScreenRule()
  return (
    <div className={signedIn ? 'has-tabs flex min-h-svh flex-col' : 'flex min-h-svh flex-col'}>
      <a href="#main" className="skip-link btn btn-primary">
        Skip to content
      </a>
      {navigating && <div className="navigation-progress" aria-hidden="true" />}
      <header className="topbar">
        <NavigationBar />
        <OfflineNotice />
      </header>
      <main id="main" tabIndex={-1} aria-busy={navigating}>
        <Outlet />
      </main>
      <Footer />
      <LazyToaster />
      <ScrollRestoration />
    </div>
  )
}

const Footer = () => <footer className="site-footer">Lectern: notes by students, for students.</footer>
