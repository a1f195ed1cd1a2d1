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
 * The one box, on every page. Where the bar has no room for it, a button shows it above the bar for as long as it has the
 * focus. Home and Browse have it in large, and there the button leads to that.
 */
export function NavigationSearch() {
  const { pathname } = useLocation()
  const goToSearch = useGoToSearch()
  const opener = useRef<HTMLButtonElement>(null)
  const isOnPage = pathname === paths.home() || pathname === paths.browse()
  const isSlashOn = singleKeyShortcuts.use() === 'on'

  /** To the button, where that had shown it. */
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
