import { memo, type ReactNode } from 'react'
import type { Note } from '../../../../packages/contract/notes.ts'
import { classNames } from '../../../platform/ui/class-names.ts'
import { ThumbnailImage } from './ThumbnailImage.tsx'
import './note-thumbnail.css'
import { placeholderText } from './placeholder-text.ts'

type NoteThumbnailProps = {
  note: Pick<Note, 'title' | 'courseCode' | 'document'>
  /** Replaces the thumbnail of the first page. */
  picture?: ReactNode
}

/**
 * Shows the first page of a note's file on a stack. Without a thumbnail it shows a blank sheet with `placeholderText`,
 * but nothing that the file may not contain.
 */
export const NoteThumbnail = memo(function NoteThumbnail({
  note: { title, courseCode, document },
  picture,
}: NoteThumbnailProps) {
  const { pageCount, thumbnail } = document
  return (
    <div className={classNames('note-thumbnail', stackClass(pageCount ?? 1))} aria-hidden="true">
      <div className="note-thumbnail-page">
        <svg viewBox="0 0 100 141.4" role="presentation">
          <text x="50" y="44" textAnchor="middle" fontSize="30" className="note-thumbnail-mark">
            {placeholderText(title, courseCode)}
          </text>
          <path d="M38 56H62" stroke="var(--page-line)" strokeWidth="1.2" />
        </svg>
      </div>
      {picture ?? (thumbnail !== null && <ThumbnailImage key={thumbnail} thumbnail={thumbnail} />)}
    </div>
  )
})

const thickFrom = 10
const stackClass = (pages: number) =>
  pages >= thickFrom ? 'note-thumbnail-thick' : pages > 1 && 'note-thumbnail-stack'
