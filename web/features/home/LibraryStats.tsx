import type { CSSProperties } from 'react'
import type { About } from '../../../packages/contract/about.ts'
import { courseHue, hashText } from '../notes/card/course-hue.ts'
import { formatCount } from '../notes/format.ts'
import './about-section.css'
import './library-stats.css'

type LibraryStatsProps = { about: About | null | undefined }

/** Shows the size of the library above a shelf, which has free space on a new instance. */
export function LibraryStats({ about }: LibraryStatsProps) {
  const isNew = about?.notes === 0
  return (
    <section className="shelf-count" aria-labelledby="about-shelf">
      <h2 id="about-shelf" className="about-place-title">
        What you’ll find here
      </h2>
      <div className="shelf-count-numbers">
        {isNew && (
          <p>
            <strong>Just getting started</strong>
          </p>
        )}
        {about && !isNew && <Numbers {...about} />}
      </div>
      <p className="shelf-count-words">
        {isNew
          ? 'This site is new. Be one of the first to upload notes.'
          : 'Lecture notes, summaries and worked exercises, all searchable. Only logged-in students can see them.'}
      </p>
      <div className="shelf-count-shelf" aria-hidden="true">
        {spines.slice(0, isNew ? 4 : spines.length).map((spine) => (
          <Spine key={spine} name={spine} />
        ))}
        {isNew && <div className="shelf-count-gap" />}
      </div>
    </section>
  )
}

/** The server rounds the numbers down. */
const Numbers = ({ notes, courses }: Pick<About, 'notes' | 'courses'>) => (
  <>
    <p>
      <strong>{formatCount(notes)}+</strong> notes
    </p>
    {courses > 0 && (
      <p>
        <strong>{formatCount(courses)}+</strong> courses
      </p>
    )}
  </>
)

/** The spines belong to no real course; each name gives a colour, a height and a width. */
const spines = Array.from({ length: 60 }, (_, at) => `Shelf ${at}`)

function Spine({ name }: { name: string }) {
  const hash = hashText(name)
  const style = { '--hue': courseHue(name), '--height': 58 + (hash % 43), '--width': 12 + ((hash >>> 8) % 20) }
  return <div className="shelf-count-spine" style={style as CSSProperties} />
}
