import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { Outlet, ScrollRestoration, useMatches, useNavigation } from 'react-router'
import type { Announcement } from '../../packages/contract/announcements.ts'
import { useSearchKeys } from '../features/search/use-search-keys.ts'
import { lazyPart } from '../platform/layout/chunk-reload.ts'
import { useFocusOnNavigation } from '../platform/layout/focus.ts'
import { type PageHandle, setPageTitle } from '../platform/layout/page-handle.ts'
import { SiteLinks } from '../platform/layout/SiteLinks.tsx'
import { useSessionRedirect } from '../platform/layout/use-session-redirect.ts'
import { isActiveUser, useSession } from '../platform/session/store.ts'
import { readStored, store } from '../platform/storage.ts'
import { whenIdle } from '../platform/ui/browser.ts'
import { Icon } from '../platform/ui/Icon.tsx'
import { classNames } from '../platform/ui/layout.tsx'
import { toasterMounted, toasterWanted, wantToaster } from '../platform/ui/toast.ts'
import { NavigationBar } from './NavigationBar.tsx'
import '../platform/ui/button.css'
import './layout.css'
import './navigation-bar.css'

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
  const isFullScreen = useMatches().some(
    ({ handle, loaderData }) =>
      loaderData !== undefined && (handle as PageHandle | undefined)?.isFullScreen?.(loaderData as never),
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
        <header ref={measureBar} className="navigation-bar">
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

/** Focused elements scroll out from under the bar, which is higher with notices. */
function measureBar(bar: HTMLElement | null) {
  if (bar === null) return
  const observer = new ResizeObserver(() =>
    document.documentElement.style.setProperty('--bar-height', `${bar.offsetHeight}px`),
  )
  observer.observe(bar)
  return () => observer.disconnect()
}

const Footer = () => (
  <footer className="text-faint text-small layout-footer">
    Lectern: notes by students, for students.
    <SiteLinks />
  </footer>
)

/** Sets the window's title to that of the innermost page. */
function usePageTitle(): void {
  const title = useMatches()
    .map(({ handle, loaderData }) => {
      const { title } = (handle as PageHandle | undefined) ?? {}
      if (typeof title !== 'function') return title
      return loaderData === undefined ? undefined : title(loaderData as never)
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

function OfflineNotice() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status">
      {!online && (
        <p className="text-medium text-strong offline-notice">
          <Icon name="wifi-off" />
          You’re offline. Some things won’t load until you reconnect.
        </p>
      )}
    </div>
  )
}

function subscribe(listener: () => void) {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

const storageKey = 'lectern-announcement'

/** The admins' announcement until this user dismisses it on this device. It is rendered as plain text. */
function AnnouncementBar({ announcement: { _id, text } }: { announcement: Announcement }) {
  const userId = useSession((state) => state.user?._id)
  const shown = `${_id} ${userId}`
  const [dismissed, setDismissed] = useState(() => readStored(storageKey))
  if (dismissed === shown) return null

  function dismiss() {
    store(storageKey, shown)
    setDismissed(shown)
    // The bar is removed, so the focus moves to the content.
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
  }

  return (
    <section className="announcement-bar" aria-label="Site announcement">
      <p dir="auto" className="text-written">
        {text}
      </p>
      <button type="button" className="button button-secondary button-small" onClick={dismiss}>
        Got it
      </button>
    </section>
  )
}
