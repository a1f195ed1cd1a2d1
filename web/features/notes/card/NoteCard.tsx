import { type MouseEvent, memo, type ReactNode } from 'react'
import { Link } from 'react-router'
import { ruleNames } from '../../../../packages/contract/moderation-rules.ts'
import type { Note } from '../../../../packages/contract/notes.ts'
import * as paths from '../../../platform/paths.ts'
import { Button, ButtonLink } from '../../../platform/ui/Button.tsx'
import { Icon, type IconName } from '../../../platform/ui/Icon.tsx'
import { classNames } from '../../../platform/ui/layout.tsx'
import { useNote } from '../cache/note-cache.ts'
import { usePollProcessing } from '../cache/processing.ts'
import { describeDrawnPages, describeProblems } from '../describe-document.ts'
import { countOf, formatBytes, formatMoment } from '../format.ts'
import { openNote } from '../open-file/open-note.ts'
import { factsOf } from '../properties.ts'
import { RatingButtons } from '../rating/RatingButtons.tsx'
import { hueStyle } from './course-hue.ts'
import { NoteThumbnail } from './NoteThumbnail.tsx'
import './note-card.css'

/** The handlers for editing and deleting, for lists in which the author may change notes. */
export type NoteActions = {
  edit: (note: Note) => void
  remove: (note: Note) => void
  /** Renders a selection checkbox over the thumbnail while several notes are being selected. */
  choice?: (note: Note) => ReactNode
}

type NoteCardProps = {
  noteId: string
  /** The viewer's id, which the list reads once for all of its cards. */
  userId: string | undefined
  actions?: NoteActions | undefined
  /** The heading level of the title, one below that of the surrounding section. */
  heading?: 'h2' | 'h3'
  /** Makes the card as wide as the page, with the thumbnail beside the text. */
  isRow?: boolean
  /** The reader's start position. With the page of a search match, the card opens the reader instead of the file. */
  readAt?: Parameters<typeof paths.note>[1]
  /** Content of the surrounding list, below the facts of the note. */
  children?: ReactNode
}

/**
 * Shows one note. The link of the title is stretched over the whole card, so that a click anywhere except on the
 * buttons opens the note. Its address is the reader's, for copying, dragging and opening in another tab.
 */
export const NoteCard = memo(function NoteCard({
  noteId,
  userId,
  actions,
  heading: Heading = 'h3',
  isRow = false,
  readAt,
  children,
}: NoteCardProps) {
  const note = useNote(noteId)
  usePollProcessing(note?.document.isProcessing)
  if (note === undefined) return null
  const isOwn = note.user !== null && note.user._id === userId
  const opensReader = readAt?.page !== undefined
  const action = (icon: IconName, text: string, run: (note: Note) => void) => (
    <Button variant="ghost" size="small" icon={icon} aria-label={`${text}: ${note.title}`} onClick={() => run(note)}>
      {text}
    </Button>
  )
  return (
    <article
      className={classNames('note-card cover-box spine', isRow && 'note-card-row')}
      style={hueStyle(note.courseCode)}
    >
      <div className="note-card-picture">
        <NoteThumbnail note={note} />
        <div className="text-faint note-card-strip">
          {isOwn && note.isAnonymous && <p className="note-card-anonymous">Anonymous</p>}
          {note.hidden && <p className="note-card-hidden">Hidden: {ruleNames[note.hidden.rule]}</p>}
          <FileFacts document={note.document} />
        </div>
        {isOwn && actions?.choice?.(note)}
      </div>
      <div className="note-card-body">
        <Heading className="note-card-title">
          <a
            href={paths.note(note._id, readAt)}
            className="note-card-open cover-link"
            title={note.title}
            data-note-open={note._id}
            {...(opensReader
              ? { target: '_blank', rel: 'noopener' }
              : { onClick: (event: MouseEvent) => openOnPlainClick(event, note) })}
          >
            <span dir="auto" className="text-clamped note-card-title-text">
              {note.title}
            </span>
            <span className="visually-hidden"> (opens in a new tab)</span>
          </a>
        </Heading>
        <NoteFacts note={note} isOwn={isOwn} />
        {children}
        <div className="note-card-foot note-card-rating">
          <RatingButtons note={note} isOwn={isOwn} />
          {!opensReader && (
            <ButtonLink
              variant="ghost"
              size="small"
              icon="book-open"
              className="note-card-read"
              to={paths.note(note._id, readAt)}
            >
              Read<span className="visually-hidden"> {note.title}</span>
            </ButtonLink>
          )}
        </div>
        {actions && isOwn && (
          <div className="note-card-foot note-card-actions">
            {action('pencil', 'Edit Note', actions.edit)}
            {action('trash', 'Delete Note', actions.remove)}
          </div>
        )}
      </div>
    </article>
  )
})

/** A plain click opens the file in a new tab (SPEC.md section 2). With a modifier key the browser handles the link. */
function openOnPlainClick(event: MouseEvent, note: Note): void {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  void openNote(note)
}

function FileFacts({ document }: Pick<Note, 'document'>) {
  const { pageCount, bytes, problems } = document
  const drawn = describeDrawnPages(document)
  const lacks = [...describeProblems(problems ?? []), ...(drawn ? [drawn] : [])]
  return (
    <>
      <p className="text-count note-card-file">
        {pageCount !== null && `${countOf(pageCount, 'page')} · `}
        {formatBytes(bytes)}
      </p>
      {lacks.length > 0 && <p className="text-soft note-card-problems">{lacks.join(' · ')}</p>}
    </>
  )
}

const NoteFacts = ({ note, isOwn }: { note: Note; isOwn: boolean }) => (
  <dl className="text-small note-card-facts">
    <div className="note-card-course-line">
      <dt className="visually-hidden">Course</dt>
      <dd className="note-card-course-place">
        <Link to={paths.course(note.courseCode)} className="course-tag note-card-course" title={note.courseCode}>
          <span className="text-cut">{note.courseCode}</span>
        </Link>
      </dd>
      <dt className="visually-hidden">Academic year</dt>
      <dd className="text-count note-card-year">{note.academicYear}</dd>
    </div>
    {factsOf(note).map(
      ({ name, icon, label, text }) =>
        icon && (
          <div key={name}>
            <FactLabel icon={icon} text={label} />
            <dd className="note-card-detail" title={text ?? undefined}>
              {text ?? '-'}
            </dd>
          </div>
        ),
    )}
    <div>
      <FactLabel icon="user-round" text="Author" />
      <dd title={isOwn ? undefined : note.user?.name}>
        <AuthorName note={note} isOwn={isOwn} className="note-card-author" />
      </dd>
    </div>
    <div>
      <dt className="visually-hidden">Uploaded</dt>
      <dd>
        <time dateTime={note.createdAt}>{formatMoment(note.createdAt)}</time>
      </dd>
    </div>
  </dl>
)

const FactLabel = ({ icon, text }: { icon: IconName; text: string }) => (
  <dt title={text}>
    <Icon name={icon} size={1} />
    <span className="visually-hidden">{text}</span>
  </dt>
)

/** Links to the notes the author shares by name. The API returns an anonymous note's user only to its author. */
export function AuthorName({ note, isOwn, className }: { note: Note; isOwn: boolean; className: string }) {
  const { user, isAnonymous } = note
  if (isOwn) return 'You'
  if (user === null || isAnonymous) return '-'
  return (
    <Link to={paths.person(user._id)} className={className}>
      {user.name}
    </Link>
  )
}
