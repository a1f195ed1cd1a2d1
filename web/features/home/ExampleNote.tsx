import type { CSSProperties } from 'react'
import { Icon } from '../../platform/ui/Icon.tsx'
import { courseHue } from '../notes/card/course-hue.ts'
import desk from './desk.svg?no-inline'
import './example-note.css'

const courseCode = 'MAT137'

/** Shows a drawn example of a note on a shelf. Its numbers refer to the list beside it. */
export function ExampleNote() {
  return (
    <div
      className="example-note"
      style={{ '--hue': courseHue(courseCode) } as CSSProperties}
      role="img"
      aria-label="Example note: first page, title, course and year, author, likes"
    >
      <div className="example-note-picture">
        <svg viewBox="0 0 100 100" fill="none" aria-hidden="true">
          <use href={`${desk}#example`} />
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
