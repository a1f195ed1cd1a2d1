import { useRef } from 'react'
import { useLocation } from 'react-router'
import { singleKeyShortcuts } from '../features/reader/single-key-shortcuts.ts'
import { SearchForm } from '../features/search/SearchForm.tsx'
import { useGoToSearch } from '../features/search/use-search-keys.ts'
import * as paths from '../platform/paths.ts'
import { Icon } from '../platform/ui/Icon.tsx'
import './navigation-bar.css'
import './navigation-search.css'

/**
 * The search field of every page but Home and Browse, which have their own. On narrow screens a button opens it above
 * the bar while it has the focus; on Home and Browse the button goes to their field.
 */
export function NavigationSearch() {
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
