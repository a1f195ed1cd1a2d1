import { useEffect, useRef } from 'react'
import { trackPending } from '../../../platform/api/activity.ts'
import { Button } from '../../../platform/ui/Button.tsx'
import { Icon } from '../../../platform/ui/Icon.tsx'
import { Row, Stack } from '../../../platform/ui/layout.tsx'
import { fetchErrorText } from '../format.ts'

type LoadMoreProps = {
  list: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => Promise<unknown>
  }
  isHidden?: boolean
  onLoadMore?: () => void
  action?: string
  error?: string
  /** The selector of the element in each row that takes the focus. */
  rows?: string
}

export function LoadMore(props: LoadMoreProps) {
  const { list, isHidden = false, action = 'Load More', error = fetchErrorText, rows = '[data-note-open]' } = props
  const { onLoadMore = () => void trackPending(list.fetchNextPage()) } = props
  const isLoading = list.isFetchingNextPage
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
    <Stack align="center" top={2} ref={foot}>
      {list.isFetchNextPageError && (
        <Row as="p" tone="danger" gap={0.5} role="alert">
          <Icon name="circle-exclamation-point" />
          {error}
        </Row>
      )}
      {list.hasNextPage && !isHidden && (
        <Button busy={isLoading} onClick={onLoadMore}>
          {action}
        </Button>
      )}
    </Stack>
  )
}
