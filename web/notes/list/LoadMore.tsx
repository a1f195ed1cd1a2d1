import { useEffect, useRef } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { fetchErrorText } from '../fetch-error.ts'

type LoadMoreProps = {
  label?: string
  error?: string
  /** What takes the focus in the list, of each of its items. */
  items?: string
  hasMore: boolean
  isLoading: boolean
  hasFailed: boolean
  onLoadMore: () => void
}

/** The way to the next page of a list while there is one, and what is said where it could not be had. */
export function LoadMore({ items = '[data-note-open]', hasMore, isLoading, hasFailed, ...way }: LoadMoreProps) {
  const { label = 'Load More', error = fetchErrorText, onLoadMore } = way
  const foot = useRef<HTMLDivElement>(null)

  // The keyboard goes on with the first of the new ones, not behind the last of them.
  useEffect(() => {
    const section = foot.current?.closest('section')
    if (!isLoading || !foot.current?.contains(document.activeElement)) return
    const shown = section?.querySelectorAll(items).length ?? 0
    return () => section?.querySelectorAll<HTMLElement>(items)[shown]?.focus()
  }, [isLoading, items])

  return (
    <Stack align="center" top={2} ref={foot} className="load-more">
      {hasFailed && (
        <Row as="p" tone="danger" gap={0.5} role="alert">
          <Icon name="circle-exclamation-point" />
          {error}
        </Row>
      )}
      {hasMore && (
        <Button variant="secondary" busy={isLoading} onClick={onLoadMore}>
          {label}
        </Button>
      )}
    </Stack>
  )
}
