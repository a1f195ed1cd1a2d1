import type { ReactNode } from 'react'
import type { Note } from '../../../packages/contract/notes.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { AuthorName } from '../notes/card/AuthorName.tsx'
import { formatBytes, formatMoment } from '../notes/format.ts'
import { factsOf } from '../notes/properties.ts'
import { RatingButtons } from '../notes/rating/RatingButtons.tsx'
import './note-details.css'
import { Stack, Text } from '../../platform/ui/layout.tsx'

type NoteDetailsProps = { note: Note; isOwn: boolean; onEdit: (() => void) | undefined }

export function NoteDetails({ note, isOwn, onEdit }: NoteDetailsProps) {
  const { pageCount, bytes } = note.document
  const facts: [name: string, text: ReactNode][] = [
    ...factsOf(note).map(({ label, text }): [string, string] => [label, text ?? '-']),
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
    <Stack align="flex-start" className="note-details">
      <h2 className="text">{note.title}</h2>
      {isOwn && note.isAnonymous && <Text tone="soft">Anonymous</Text>}
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
      <div className="note-details-rating">
        <RatingButtons note={note} isOwn={isOwn} />
      </div>
      {onEdit && (
        <Button icon="pencil" onClick={onEdit}>
          Edit Note
        </Button>
      )}
    </Stack>
  )
}
