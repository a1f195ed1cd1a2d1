import type { Note } from '../../../../packages/contract/notes.ts'
import { isRepeated } from '../../../platform/ui/Button.tsx'
import { Icon } from '../../../platform/ui/Icon.tsx'
import { classNames } from '../../../platform/ui/layout.tsx'
import { useUserLists } from '../cache/user-lists.ts'
import { formatCount } from '../format.ts'
import { getRating, type RatingButton } from './rating.ts'
import { sendWaitingRatings, useRateNote } from './use-rate-note.ts'
import './rating-buttons.css'

window.addEventListener('pagehide', sendWaitingRatings)

const looks = {
  like: { label: 'Like', icon: 'thumbs-up' },
  dislike: { label: 'Dislike', icon: 'thumbs-down' },
} as const

/** Like and dislike buttons with their counts. Own and hidden notes cannot be rated, so their buttons do nothing. */
export function RatingButtons({ note, isOwn }: { note: Note; isOwn: boolean }) {
  const opinion = useUserLists((lists) => getRating(lists, note._id))
  const rate = useRateNote(note)
  const isDisabled = isOwn || note.hidden !== undefined
  const button = (kind: RatingButton, count: number, pressed: boolean) => {
    const { label, icon } = looks[kind]
    return (
      <button
        type="button"
        className={classNames(
          'text-soft text-small text-count text-strong rating-buttons-button',
          kind === 'dislike' && 'rating-buttons-dislike',
          isDisabled && 'rating-buttons-disabled',
        )}
        aria-label={`${label} ${formatCount(count)}: ${note.title}`}
        aria-pressed={pressed}
        disabled={isDisabled}
        title={isOwn ? 'You can’t rate your own note.' : isDisabled ? 'You can’t rate a hidden note.' : label}
        onClick={(event) => !isRepeated(event) && rate(kind)}
      >
        <Icon name={icon} />
        <span className="visually-hidden">{label}</span>
        <span>{formatCount(count)}</span>
      </button>
    )
  }
  return (
    <>
      {button('like', note.likes, opinion === 'liked')}
      {button('dislike', note.dislikes, opinion === 'disliked')}
    </>
  )
}
