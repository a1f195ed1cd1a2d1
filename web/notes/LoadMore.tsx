import { CircleAlert } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../ui/Button.tsx'
import { fetchErrorText } from './fetch-error.ts'

type LoadMoreProps = { isLoading: boolean; hasFailed: boolean; onLoadMore: () => Promise<void> }

/** The way to the next page of a list, and what is said where it could not be had. */
export function LoadMore({ isLoading, hasFailed, onLoadMore }: LoadMoreProps) {
  const foot = useRef<HTMLDivElement>(null)

  async function loadMore() {
    const section = foot.current?.closest('section')
    const shown = section?.querySelectorAll('[data-note-open]').length ?? 0
    const hadFocus = foot.current?.contains(document.activeElement)
    await onLoadMore()
    if (!hadFocus) return
    // The keyboard goes on with the first of the new notes, not behind the last of them.
    requestAnimationFrame(() => section?.querySelectorAll<HTMLElement>('[data-note-open]')[shown]?.focus())
  }

  return (
    <div ref={foot} className="mt-8 flex flex-col items-center gap-4">
      {hasFailed && (
        <p role="alert" className="flex items-center gap-2 text-danger">
          <CircleAlert aria-hidden="true" className="size-5 shrink-0" />
          {fetchErrorText}
        </p>
      )}
      <Button variant="secondary" busy={isLoading} onClick={() => void loadMore()}>
        Load More
      </Button>
    </div>
  )
}
