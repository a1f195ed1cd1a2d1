import type { ReactNode } from 'react'
import type { Note } from '../../../contract/notes.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { AuthorName } from '../card/AuthorName.tsx'
import { formatMoment } from '../format.ts'
import { formatBytes } from '../format-bytes.ts'
import { RatingButtons } from '../rating/RatingButtons.tsx'
import './about-note.css'
import { Stack, Text } from '../../ui/layout.tsx'

type AboutNoteProps = { note: Note; isOwn: boolean; onEdit: (() => void) | undefined }

/** What the note's card says, beside its pages. */
export function AboutNote({ note, isOwn, onEdit }: AboutNoteProps) {
  const { pageCount, bytes } = note.document
  const facts: [name: string, text: ReactNode][] = [
    ['Course', note.courseCode],
    ['Academic year', note.academicYear],
    ['Instructor', note.instructor ?? '-'],
    ['Author', <AuthorName note={note} isOwn={isOwn} className="link" />],
    ['Uploaded', formatMoment(note.createdAt)],
    [
      'File',
      [pageCount && `${pageCount} ${pageCount === 1 ? 'page' : 'pages'}`, formatBytes(bytes)]
        .filter(Boolean)
        .join(', '),
    ],
  ]
  return (
    <Stack align="flex-start" className="about-note">
      <h2 className="text">{note.title}</h2>
      {isOwn && note.isAnonymous && <Text tone="soft">Shared anonymously</Text>}
      <Stack as="dl" gap={0.625}>
        {facts.map(([name, text]) => (
          <div key={name}>
            <Text as="dt" tone="faint" size="small">
              {name}
            </Text>
            <Text as="dd">{text}</Text>
          </div>
        ))}
      </Stack>
      <div className="about-note-rating">
        <RatingButtons note={note} isOwn={isOwn} />
      </div>
      {onEdit && (
        <Button variant="secondary" icon={<Icon name="pencil" />} onClick={onEdit}>
          Edit Note
        </Button>
      )}
    </Stack>
  )
}
