import { Outlet, ScrollRestoration, useMatches, useNavigation } from 'react-router'
import { useSearchKeys } from '../features/search/use-search-keys.ts'
import { isActiveUser, useSession } from '../platform/session/store.ts'
import '../platform/ui/button.css'
import { AnnouncementBar } from '../platform/layout/AnnouncementBar.tsx'
import { classNames } from '../platform/ui/class-names.ts'
import './layout.css'
import './navigation-bar.css'
import { type ComponentType, useEffect, useState } from 'react'
import { lazyPart } from '../platform/layout/chunk-reload.ts'
import { OfflineNotice } from '../platform/layout/OfflineNotice.tsx'
import { type PageHandle, setPageTitle } from '../platform/layout/page-handle.ts'
import { SiteLinks } from '../platform/layout/SiteLinks.tsx'
import { useFocusOnNavigation } from '../platform/layout/use-focus-on-navigation.ts'
import { useSessionRedirect } from '../platform/layout/use-session-redirect.ts'
import { toasterMounted, toasterWanted, wantToaster } from '../platform/ui/toast.ts'
import { whenIdle } from '../platform/ui/when-idle.ts'
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
      {!isFullScreen && announcement && <AnnouncementBar announcement={announcement} />}
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

/** Sets the window's title to that of the innermost page. */
function usePageTitle(): void {
  const title = useMatches()
    .map(({ handle, loaderData }) => {
      const { title } = (handle as PageHandle | undefined) ?? {}
      return typeof title === 'function' ? title(loaderData as never) : title
    })
    .findLast((given) => given !== undefined)
  useEffect(() => setPageTitle(title), [title])
}

/** Loads the toaster when it is needed or the browser is idle, so that it does not delay the first page. */
function LazyToaster() {
  const [Toaster, setToaster] = useState<ComponentType<{ onMount: () => void }> | null>(null)
  useEffect(() => {
    window.addEventListener('pointerdown', wantToaster, { once: true })
    window.addEventListener('keydown', wantToaster, { once: true })
    void toasterWanted
      .then(() => import('../platform/ui/Toaster.tsx'))
      .then((part) => setToaster(() => part.Toaster))
      // Without it there are no toasts; forms also show their messages inline.
      .catch(() => {})
    return whenIdle(wantToaster)
  }, [])
  // A dialog hides everything else from assistive technology, except live regions that exist when it opens.
  return <div aria-live="off">{Toaster && <Toaster onMount={toasterMounted} />}</div>
}
