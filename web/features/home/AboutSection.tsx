import './about-section.css'
import { Grid } from '../../platform/ui/layout.tsx'
import { ExampleNote } from './ExampleNote.tsx'
import { LibraryStats } from './LibraryStats.tsx'
import { OperatorInfo } from './OperatorInfo.tsx'
import { useSiteInfo } from './use-site-info.ts'

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
          <ol className="about-place-parts">
            <li>A preview of the first page.</li>
            <li>The course, with its own colour everywhere in Lectern.</li>
            <li>The author, or a dash if the note is anonymous.</li>
            <li>Likes from the students it helped.</li>
          </ol>
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
