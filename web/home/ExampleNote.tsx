import type { CSSProperties } from 'react'
import { courseHue } from '../notes/card/course-hue.ts'
import { Icon } from '../ui/Icon.tsx'
import './example-note.css'
import { drawSheet } from './sheet-drawing.ts'

const courseCode = 'MAT137'
const { lines, figure, marks } = drawSheet('oak')

/** What a note looks like on a shelf, drawn by us: nobody's note. The numbers are those of the list beside it. */
export function ExampleNote() {
  return (
    <div
      className="example-note"
      style={{ '--hue': courseHue(courseCode) } as CSSProperties}
      role="img"
      aria-label="An example that we drew: the first page of a note, below it its title, its course and year, its author and its likes"
    >
      <div className="example-note-picture">
        <svg viewBox="0 0 100 100" fill="none" aria-hidden="true" strokeLinecap="round" strokeLinejoin="round">
          <text x="13" y="22" className="example-note-heading">
            Limits
          </text>
          <path d={marks} stroke="oklch(0.87 0.15 88)" strokeWidth="4.4" strokeLinecap="butt" />
          <path d={lines} stroke="var(--page-line)" strokeWidth="1.9" />
          <path d={figure} stroke="var(--page-ink)" strokeWidth="1.2" />
        </svg>
        <PartNumber of={1} />
      </div>
      <div className="example-note-words">
        <p className="example-note-title">Limits, and how to find them</p>
        <p className="example-note-line">
          <span className="example-note-course">{courseCode}</span> 2026–27
          <PartNumber of={2} />
        </p>
        <p className="example-note-line">
          <span className="example-note-label">Author</span> Noor Haddad
          <PartNumber of={3} />
        </p>
        <p className="example-note-line">
          <Icon name="thumbs-up" /> 12 <Icon name="thumbs-down" /> 0
          <PartNumber of={4} />
        </p>
      </div>
    </div>
  )
}

const PartNumber = ({ of }: { of: number }) => <span className="example-note-number">{of}</span>
