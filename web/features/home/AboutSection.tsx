import type { CSSProperties } from 'react'
import type { About } from '../../../packages/contract/about.ts'
import { Icon } from '../../platform/ui/Icon.tsx'
import { Grid, Row } from '../../platform/ui/layout.tsx'
import { courseHue, hashText, hueStyle } from '../notes/card/course-hue.ts'
import { formatCount } from '../notes/format.ts'
import desk from './desk.svg?no-inline'
import { OperatorInfo, useSiteInfo } from './OperatorInfo.tsx'
import './about-section.css'

/** Informs visitors before they register: the library, an example note, the use of their data, and the operator. */
export function AboutSection() {
  const about = useSiteInfo()
  return (
    <div className="about-place">
      <LibraryStats about={about} />

      <section className="about-place-note" aria-labelledby="about-note">
        <ExampleNote />
        <div>
          <h2 id="about-note" className="about-place-title">
            What a note looks like
          </h2>
          <Grid as="ol" gap={0.875} maxWidth={34} className="about-place-parts">
            <li>A preview of the first page.</li>
            <li>The course, with its own colour everywhere in Lectern.</li>
            <li>The author, or a dash if the note is anonymous.</li>
            <li>Likes from the students it helped.</li>
          </Grid>
        </div>
      </section>

      <section aria-labelledby="about-data">
        <h2 id="about-data" className="about-place-title">
          Your data
        </h2>
        <Grid as="dl" gap={[0.375, 1.5]} className="about-place-promises">
          <dt>What we store</dt>
          <dd>
            Your name, email, a hash of your password, your notes, and what you like and read. No ads, no trackers.
          </dd>
          <dt>What others see</dt>
          <dd>
            Logged-in students see your notes with your name. Only you and the people who run this site can see your
            email and what you read.
          </dd>
          <dt>Anonymous notes</dt>
          <dd>
            We remove your name from the note and from the PDF’s hidden data. What you wrote on the pages stays as it
            is.
          </dd>
        </Grid>
      </section>

      <OperatorInfo about={about} />
    </div>
  )
}

const courseCode = 'MAT137'

const ExampleNote = () => (
  <div
    className="example-note"
    style={hueStyle(courseCode)}
    role="img"
    aria-label="Example note: first page, title, course and year, author, likes"
  >
    <div className="example-note-picture">
      <svg viewBox="0 0 100 100" fill="none" aria-hidden="true">
        <use href={`${desk}#example`} />
      </svg>
      <PartNumber of={1} />
    </div>
    <Grid gap={0.625} className="example-note-text">
      <p className="text-serif example-note-title">Limits, and how to find them</p>
      <p className="text-medium text-count example-note-line">
        <span className="course-tag">{courseCode}</span> 2026–27
        <PartNumber of={2} />
      </p>
      <p className="text-medium text-count example-note-line">
        <span className="text-faint text-small">Author</span> Noor Haddad
        <PartNumber of={3} />
      </p>
      <p className="text-medium text-count example-note-line">
        <Icon name="thumbs-up" /> 12 <Icon name="thumbs-down" /> 0
        <PartNumber of={4} />
      </p>
    </Grid>
  </div>
)

const PartNumber = ({ of }: { of: number }) => <span className="example-note-number">{of}</span>

function LibraryStats({ about }: { about: About | null | undefined }) {
  const isNew = about?.notes === 0
  return (
    <section aria-labelledby="about-shelf">
      <h2 id="about-shelf" className="about-place-title">
        What you’ll find here
      </h2>
      <Row gap={[0, 1.5]} tone="soft" size="large" className="library-stats-numbers">
        {isNew && (
          <p>
            <strong>Just getting started</strong>
          </p>
        )}
        {about && !isNew && <Numbers {...about} />}
      </Row>
      <p className="text-soft library-stats-text">
        {isNew
          ? 'This site is new. Be one of the first to upload notes.'
          : 'Lecture notes, summaries and worked exercises, all searchable. Only logged-in students can see them.'}
      </p>
      <div className="library-stats-shelf" aria-hidden="true">
        {spines.slice(0, isNew ? 4 : spines.length).map((spine) => (
          <Spine key={spine} name={spine} />
        ))}
        {isNew && <div className="library-stats-gap" />}
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
  return <div className="library-stats-spine" style={style as CSSProperties} />
}
