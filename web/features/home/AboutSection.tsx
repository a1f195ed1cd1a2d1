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
            <li>Its first page, so that you know what you get before you open it.</li>
            <li>Its course, in a colour of its own that is the same everywhere.</li>
            <li>Who shared it. Where there is a dash, somebody shared it without a name.</li>
            <li>The likes of those it helped. They bring it to the front.</li>
          </ol>
        </div>
      </section>

      <section aria-labelledby="about-data">
        <h2 id="about-data" className="about-place-title">
          What happens to your data
        </h2>
        <Grid as="dl" gap={[0.375, 1.5]} className="about-place-promises">
          <dt>Kept</dt>
          <dd>
            Your name, your email, your password in a form that nobody can read back, the notes you share, what you
            liked and opened and how far you read; nothing of it goes to advertisers or trackers.
          </dd>
          <dt>Seen</dt>
          <dd>
            Students with an account see your notes under your name; your email and what you read stay between you and
            whoever runs this place.
          </dd>
          <dt>Anonymous</dt>
          <dd>
            Means anonymous: no name goes with the note, not even one hidden inside the PDF, and only what you wrote on
            its pages can tell whose it is.
          </dd>
        </Grid>
      </section>

      <OperatorInfo about={about} />
    </div>
  )
}
