import { useQuery } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { Link } from 'react-router'
import * as paths from '../../platform/paths.ts'
import { IconButton } from '../../platform/ui/Button.tsx'
import { Grid, Stack, Text } from '../../platform/ui/layout.tsx'
import { useNote } from '../notes/cache/note-cache.ts'
import { hueStyle } from '../notes/card/course-hue.ts'
import { RetryNotes } from '../notes/card/NoteShelf.tsx'
import { NoteThumbnail, pictureLook } from '../notes/card/NoteThumbnail.tsx'
import { formatCount } from '../notes/format.ts'
import {
  type ContinueReadingItem,
  continueReadingQuery,
  removeFromContinueReading,
  stoppedPageQuery,
} from './continue-reading-query.ts'
import './continue-reading.css'

/** Shows notes in progress at the page where the user stopped. Renders nothing if there are none. */
export function ContinueReading() {
  const query = useQuery(continueReadingQuery)
  const { data = [], isLoadingError } = query
  if (!isLoadingError && data.length === 0) return null

  function takeOff(noteId: string, { currentTarget }: MouseEvent) {
    const place = currentTarget.closest('li')
    const next = (place?.nextElementSibling ?? place?.previousElementSibling)?.querySelector('a')
    removeFromContinueReading(noteId)
    // The button disappears with its note, so the focus moves to the next one.
    next?.focus()
  }

  return (
    <Stack as="section" gap={0.75} top={2} aria-labelledby="continue-reading">
      <h2 id="continue-reading">Continue reading</h2>
      {isLoadingError ? (
        <RetryNotes query={query} />
      ) : (
        <Grid as="ul" gap={[0.75, 1]} columns={20}>
          {data.map((each) => (
            <ContinueReadingCard key={each.noteId} {...each} onTakeOff={takeOff} />
          ))}
        </Grid>
      )}
    </Stack>
  )
}

type ContinueReadingCardProps = ContinueReadingItem & { onTakeOff: (noteId: string, event: MouseEvent) => void }

function ContinueReadingCard({ noteId, page, onTakeOff }: ContinueReadingCardProps) {
  const note = useNote(noteId)
  const { data: drawn } = useQuery(stoppedPageQuery(note, page))
  if (note === undefined) return null
  const { title, courseCode, document } = note
  return (
    <li className="continue-reading-note cover-box" style={hueStyle(courseCode)}>
      <NoteThumbnail note={note} picture={drawn && <DrawnPage canvas={drawn} />} />
      <Stack gap={0} className="continue-reading-text">
        <h3 dir="auto" className="text-clamped continue-reading-title">
          <Link to={paths.note(noteId)} title={title} className="cover-link">
            {title}
          </Link>
        </h3>
        <Text tone="faint" size="small" isCut>
          {courseCode}
        </Text>
        <p className="text-small text-count continue-reading-page">
          Page {formatCount(page)}
          {document.pageCount !== null && ` of ${formatCount(document.pageCount)}`}
        </p>
        {document.pageCount !== null && (
          <div className="continue-reading-line" aria-hidden="true">
            <div style={{ width: `${(100 * page) / document.pageCount}%` }} />
          </div>
        )}
      </Stack>
      <IconButton
        icon="x"
        label={`Remove “${title}” from Continue reading`}
        title="Remove from list"
        className="continue-reading-remove"
        onClick={(event) => onTakeOff(noteId, event)}
      />
    </li>
  )
}

const DrawnPage = ({ canvas }: { canvas: HTMLCanvasElement }) => (
  <div {...pictureLook(canvas.width / canvas.height)} ref={(place) => place?.replaceChildren(canvas)} />
)
