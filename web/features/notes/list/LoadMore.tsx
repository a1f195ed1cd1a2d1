import { useEffect, useRef } from 'react'
import { Button } from '../../../platform/ui/Button.tsx'
import { Icon } from '../../../platform/ui/Icon.tsx'
import { Row, Stack } from '../../../platform/ui/layout.tsx'
import { fetchErrorText } from '../format.ts'

type ListTexts = {
  action?: string
  error?: string
  /** The selector of the element in each row that takes the focus. */
  rows?: string
}
type LoadMoreProps = ListTexts & { hasMore: boolean; isLoading: boolean; hasFailed: boolean; onLoadMore: () => void }

export function LoadMore({ hasMore, isLoading, hasFailed, onLoadMore, ...texts }: LoadMoreProps) {
  const { action = 'Load More', error = fetchErrorText, rows = '[data-note-open]' } = texts
  const foot = useRef<HTMLDivElement>(null)

  // The focus moves to the first of the new rows; otherwise it would stay behind the last of them.
  useEffect(() => {
    const section = foot.current?.closest('section')
    const pressed = document.activeElement
    if (!isLoading || !foot.current?.contains(pressed)) return
    const shown = section?.querySelectorAll(rows).length ?? 0
    return () => {
      // The user may have moved the focus. The button disappears with the last page, which moves it to the body.
      if (document.activeElement !== pressed && document.activeElement !== document.body) return
      section?.querySelectorAll<HTMLElement>(rows)[shown]?.focus()
    }
  }, [isLoading, rows])

  return (
    <Stack align="center" top={2} ref={foot} className="load-more">
      {hasFailed && (
        <Row as="p" tone="danger" gap={0.5} role="alert">
          <Icon name="circle-exclamation-point" />
          {error}
        </Row>
      )}
      {hasMore && (
        <Button busy={isLoading} onClick={onLoadMore}>
          {action}
        </Button>
      )}
    </Stack>
  )
}

type Pages = {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: (options: { cancelRefetch: boolean }) => Promise<unknown>
}

export const LoadNextPage = ({ list, ...props }: ListTexts & { list: Pages; onLoadMore?: () => void }) => (
  <LoadMore
    hasMore={list.hasNextPage}
    isLoading={list.isFetchingNextPage}
    hasFailed={list.isFetchNextPageError}
    onLoadMore={() => void list.fetchNextPage({ cancelRefetch: false })}
    {...props}
  />
)
