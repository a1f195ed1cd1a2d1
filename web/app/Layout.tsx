import { Outlet, ScrollRestoration, useMatches, useNavigation } from 'react-router'
import { useSearchKeys } from '../features/search/use-search-keys.ts'
import { isActiveUser, useSession } from '../platform/session/store.ts'
import '../platform/ui/button.css'
import { AnnouncementBar } from '../platform/layout/AnnouncementBar.tsx'
import { LazyToaster } from '../platform/layout/LazyToaster.tsx'
import { classNames } from '../platform/ui/class-names.ts'
import './layout.css'
import './navigation-bar.css'
import { lazyPart } from '../platform/layout/chunk-reload.ts'
import { OfflineNotice } from '../platform/layout/OfflineNotice.tsx'
import type { PageHandle } from '../platform/layout/page-handle.ts'
import { SiteLinks } from '../platform/layout/SiteLinks.tsx'
import { useFocusOnNavigation } from '../platform/layout/use-focus-on-navigation.ts'
import { usePageTitle } from '../platform/layout/use-page-title.ts'
import { useSessionRedirect } from '../platform/layout/use-session-redirect.ts'
import { NavigationBar } from './NavigationBar.tsx'

/** Lazy, because few users have a pending deletion. If the script is missing, the settings show the same notice. */
const DeletionNotice = lazyPart(
  () => import('../features/accounts/DeletionNotice.tsx').then((part) => part.DeletionNotice),
  {
    isAskedFor: false,
  },
)

export function Layout() {
  const signedIn = useSession(isActiveUser)
  const leavesAt = useSession((state) => state.user?.leavesAt)
  const announcement = useSession((state) => state.user?.announcement)
  const navigating = useNavigation().state !== 'idle'
  const isFullScreen = useMatches().some(({ handle, loaderData }) =>
    (handle as PageHandle | undefined)?.isFullScreen?.(loaderData as never),
  )
  usePageTitle()
  useFocusOnNavigation()
  useSearchKeys(signedIn)
  useSessionRedirect()
  return (
    <div className={classNames('layout', signedIn && 'layout-tabbed')}>
      <a href="#main" className="layout-skip button button-primary">
        Skip to content
      </a>
      {navigating && <div className="layout-progress" aria-hidden="true" />}
      {!isFullScreen && (
        <header className="navigation-bar">
          <NavigationBar />
          <OfflineNotice />
          {leavesAt && (
            <div className="layout-deletion-notice">
              <DeletionNotice leavesAt={leavesAt} />
            </div>
          )}
        </header>
      )}
      {!isFullScreen && announcement && <AnnouncementBar key={announcement._id} announcement={announcement} />}
      <main id="main" tabIndex={-1} aria-busy={navigating}>
        <Outlet />
      </main>
      {!isFullScreen && <Footer />}
      <LazyToaster />
      <ScrollRestoration />
    </div>
  )
}

const Footer = () => (
  <footer className="layout-footer">
    Lectern: notes by students, for students.
    <SiteLinks />
  </footer>
)
