import { memo } from 'react'
import type { Note } from '../../../contract/notes.ts'
import { classes } from '../../ui/classes.ts'
import { NotePicture } from './NotePicture.tsx'
import './note-sheet.css'

type NoteSheetProps = { note: Pick<Note, 'courseCode' | 'document'> }

/**
 * The first page of a note's file on its pile. A blank sheet with the course on it holds the place while there is no
 * picture (yet), and where that cannot be had: it shows nothing of which nobody knows whether the file has it.
 */
export const NoteSheet = memo(function NoteSheet({ note: { courseCode, document } }: NoteSheetProps) {
  const { pageCount, thumbnail } = document
  return (
    <div className={classes('note-sheet', pileOf(pageCount ?? 1))} aria-hidden="true">
      <div className="note-sheet-page">
        <svg viewBox="0 0 100 141.4" role="presentation">
          <text x="50" y="46" textAnchor="middle" fontSize={codeSize(courseCode)} className="note-sheet-code">
            {courseCode}
          </text>
          <path d="M38 54H62" stroke="var(--page-line)" strokeWidth="1.2" />
        </svg>
      </div>
      {thumbnail !== null && <NotePicture key={thumbnail} thumbnail={thumbnail} />}
    </div>
  )
})

const thickFrom = 10
const pileOf = (pages: number) => (pages >= thickFrom ? 'note-sheet-thick' : pages > 1 && 'note-sheet-pile')

/** A long course code is written smaller, so that it stays on the sheet. In units of the drawing. */
const codeSize = (courseCode: string) => Math.min(15, 125 / courseCode.length)
