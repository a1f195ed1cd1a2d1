import { useEffect, useRef } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { fetchErrorText } from '../fetch-error.ts'
import './load-more.css'

type LoadMoreProps = { hasMore: boolean; isLoading: boolean; hasFailed: boolean; onLoadMore: () => void }

/** The way to the next page of a list while there is one, and what is said where it could not be had. */
export function LoadMore({ hasMore, isLoading, hasFailed, onLoadMore }: LoadMoreProps) {
  const foot = useRef<HTMLDivElement>(null)

  // The keyboard goes on with the first of the new notes, not behind the last of them.
  useEffect(() => {
    const section = foot.current?.closest('section')
    if (!isLoading || !foot.current?.contains(document.activeElement)) return
    const shown = section?.querySelectorAll('[data-note-open]').length ?? 0
    return () => section?.querySelectorAll<HTMLElement>('[data-note-open]')[shown]?.focus()
  }, [isLoading])

  return (
    <div ref={foot} className="load-more">
      {hasFailed && (
        <p role="alert" className="load-more-error">
          <Icon name="circle-exclamation-point" />
          {fetchErrorText}
        </p>
      )}
      {hasMore && (
        <Button variant="secondary" busy={isLoading} onClick={onLoadMore}>
          Load More
        </Button>
      )}
    </div>
  )
}
