import { Outlet, ScrollRestoration, useNavigation } from 'react-router'
import { useSession } from '../session/store.ts'
import '../ui/button.css'
import { classes } from '../ui/classes.ts'
import { LazyToaster } from './LazyToaster.tsx'
import './layout.css'
import './navigation-bar.css'
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
    <div className={classes('layout', signedIn && 'layout-tabbed')}>
      <a href="#main" className="layout-skip button button-primary">
        Skip to content
      </a>
      {navigating && <div className="layout-progress" aria-hidden="true" />}
      <header className="navigation-bar">
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

const Footer = () => <footer className="layout-footer">Lectern: notes by students, for students.</footer>
