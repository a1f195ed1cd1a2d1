import { memo } from 'react'
import type { Note } from '../../../contract/notes.ts'
import './note-sheet.css'
import { drawSheet } from './sheet-drawing.ts'

/** What stands in for the picture of a note's first page, in the place and size that the picture will have. */
export const NoteSheet = memo(function NoteSheet({ note }: { note: Pick<Note, '_id' | 'courseCode'> }) {
  const { lines, figure, marks } = drawSheet(note._id)
  return (
    <div className="note-sheet" aria-hidden="true">
      <div className="note-sheet-page">
        <svg viewBox="0 0 100 141.4" role="presentation">
          <text x="13" y="20" fontSize={codeSize(note.courseCode)} className="note-sheet-code">
            {note.courseCode}
          </text>
          <path d="M13 27H48" stroke="var(--page-line)" strokeWidth="1.6" />
          <path d={marks} stroke="oklch(0.88 0.13 88)" strokeWidth="5.6" strokeLinecap="butt" />
          <path d={lines} stroke="var(--page-line)" strokeWidth="2" />
          <path d={figure} stroke="var(--page-ink)" strokeWidth="1.3" opacity="0.75" />
        </svg>
      </div>
    </div>
  )
})

/** A long course code is written smaller, so that it ends where the lines end. In units of the drawing. */
const codeSize = (courseCode: string) => Math.min(12, 110 / courseCode.length)
