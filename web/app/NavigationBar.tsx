import { type ReactNode, useId, useRef } from 'react'
import { Link, NavLink, useLocation, useNavigation, useSearchParams } from 'react-router'
import { askAndLogOut } from '../features/auth/log-out.ts'
import { singleKeyShortcuts } from '../features/reader/preferences.ts'
import { SearchForm } from '../features/search/SearchBox.tsx'
import { useGoToSearch } from '../features/search/use-search-keys.ts'
import { useHasPendingRequests } from '../platform/api/activity.ts'
import { lazyPart } from '../platform/layout/chunk-reload.ts'
import { ThemeChoices, themeLooks, useTheme } from '../platform/layout/ThemeChoices.tsx'
import * as paths from '../platform/paths.ts'
import { useSession } from '../platform/session/store.ts'
import { Icon, type IconName, Initial } from '../platform/ui/Icon.tsx'
import './navigation-bar.css'

/** Lazy, because only moderators need the badge. The bar works without it. */
const ReviewCountBadge = lazyPart(
  () => import('../features/moderation/ReviewCountBadge.tsx').then((part) => part.ReviewCountBadge),
  {
    isAskedFor: false,
  },
)

/** SPEC.md section 2, "Navigation bar". */
export function NavigationBar() {
  // Selects fields, because `user` is a new object after every response about the session.
  const name = useSession((state) => state.user?.name)
  const isSuspended = useSession((state) => state.user?.suspension !== undefined)
  const busy = useIsBusy()
  return (
    <div className="navigation-bar-inner">
      <Link to={paths.home()} className="navigation-bar-brand" aria-label="Lectern, home" {...disabledWhile(busy)}>
        <Logo />
        Lectern
      </Link>
      {name === undefined ? (
        <VisitorLinks busy={busy} />
      ) : (
        <>
          {!isSuspended && <UserLinks name={name} busy={busy} />}
          <ThemeMenu />
          <LogoutButton busy={busy} />
        </>
      )}
    </div>
  )
}

function VisitorLinks({ busy }: { busy: boolean }) {
  const [params] = useSearchParams()
  // Links between account pages keep the address to return to after the login.
  const next = params.get('next') ?? undefined
  return (
    <>
      <nav aria-label="Main">
        <ul className="navigation-bar-list">
          <NavItem to={paths.login(next)} text="Login" busy={busy} />
          <NavItem to={paths.register(next)} text="Register" busy={busy} />
        </ul>
      </nav>
      <ThemeMenu />
    </>
  )
}

function UserLinks({ name, busy }: { name: string; busy: boolean }) {
  const isModerator = useSession((state) => state.user?.role !== undefined)
  return (
    <>
      <NavigationSearch />
      <nav aria-label="Main" className="navigation-bar-tabs">
        <ul className="navigation-bar-list">
          <NavItem to={paths.browse()} text="Browse" icon="book-open" busy={busy} />
          <NavItem to={paths.courses()} text="Courses" icon="graduation-cap" busy={busy} />
          <NavItem to={paths.likedNotes()} text="Liked" icon="heart" busy={busy} />
          <NavItem to={paths.myNotes()} text="My Notes" icon="library" busy={busy} />
          <NavItem to={paths.upload()} text="Upload" icon="upload" busy={busy} />
        </ul>
      </nav>
      <NavLink to={paths.profile()} className="navigation-bar-link navigation-bar-profile" {...disabledWhile(busy)}>
        <Initial name={name} className="navigation-bar-avatar" />
        <span className="visually-hidden navigation-bar-name">{name || 'Profile'}</span>
        {isModerator && <ReviewCountBadge />}
      </NavLink>
    </>
  )
}

const LogoutButton = ({ busy }: { busy: boolean }) => (
  <button type="button" className="navigation-bar-link" disabled={busy} onClick={() => void askAndLogOut()}>
    <Icon name="log-out" />
    <span className="visually-hidden navigation-bar-logout">Logout</span>
  </button>
)

const NavItem = ({ to, text, icon, busy }: { to: string; text: string; icon?: IconName; busy: boolean }): ReactNode => (
  <li>
    <NavLink to={to} className="navigation-bar-link" {...disabledWhile(busy)}>
      {icon && <Icon name={icon} />}
      <span className="navigation-bar-text">{text}</span>
    </NavLink>
  </li>
)

/** The link keeps the focus but does not navigate. */
const disabledWhile = (busy: boolean) =>
  busy
    ? { 'aria-disabled': true as const, onClick: (event: { preventDefault(): void }) => event.preventDefault() }
    : undefined

/** A native popover: it opens above everything, closes on Esc and on an outside click, and restores the focus. */
function ThemeMenu() {
  const id = useId()
  const { label, icon } = themeLooks[useTheme()]
  return (
    <>
      <button
        type="button"
        className="navigation-bar-link"
        popoverTarget={id}
        aria-label={`Theme: ${label}`}
        title="Theme"
      >
        <Icon name={icon} />
      </button>
      <fieldset id={id} popover="auto" className="popup theme-menu">
        <legend className="visually-hidden">Theme</legend>
        <ThemeChoices />
      </fieldset>
    </>
  )
}

/**
 * The search field of every page but Home and Browse, which have their own. On narrow screens a button opens it above
 * the bar while it has the focus; on Home and Browse the button goes to their field.
 */
function NavigationSearch() {
  const { pathname } = useLocation()
  const goToSearch = useGoToSearch()
  const opener = useRef<HTMLButtonElement>(null)
  const isOnPage = pathname === paths.home() || pathname === paths.browse()
  const isSlashOn = singleKeyShortcuts.use() === 'on'

  /** Returns the focus to the button if it is visible. */
  function leave() {
    opener.current?.focus()
    if (document.activeElement !== opener.current) (document.activeElement as HTMLElement | null)?.blur()
  }

  return (
    <>
      <button
        ref={opener}
        type="button"
        className="navigation-bar-link navigation-search-open"
        aria-label="Open search"
        title="Search"
        onClick={goToSearch}
      >
        <Icon name="search" />
      </button>
      {!isOnPage && (
        <search aria-label="Search" className="navigation-search">
          <SearchForm onEscape={leave} />
          {isSlashOn && <kbd className="navigation-search-key">/</kbd>}
          <button
            type="button"
            className="navigation-bar-link navigation-search-close"
            aria-label="Close search"
            onClick={leave}
          >
            <Icon name="x" />
          </button>
        </search>
      )}
    </>
  )
}

/** The logo: an open book on a lectern with one highlighted page. */
export const Logo = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <path d="M15.3 6.6C12 4.2 7.8 3.4 3 4v13.4c4.8-.6 9 .2 12.3 2.6Z" fill="currentColor" />
    <path d="M16.7 6.6C20 4.2 24.2 3.4 29 4v13.4c-4.8-.6-9 .2-12.3 2.6Z" fill="var(--marigold)" />
    <path d="M4 22.6h24" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
    <path d="M13.6 22.6h4.8l1.1 6h3v1.9h-13v-1.9h3Z" fill="currentColor" />
  </svg>
)

/**
 * Whether a request that the student waits for is pending: the navigation and the logout are then disabled (SPEC.md
 * section 2).
 */
function useIsBusy(): boolean {
  const sessionLoading = useSession((state) => state.isLoading)
  const navigating = useNavigation().state !== 'idle'
  const waiting = useHasPendingRequests()
  return sessionLoading || navigating || waiting
}
