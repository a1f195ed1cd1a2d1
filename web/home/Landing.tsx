import * as paths from '../paths.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { AboutPlace } from './AboutPlace.tsx'
import { DeskPicture } from './DeskPicture.tsx'
import './landing.css'

/** What a visitor sees: what Lectern is, in one screen, and below it what this place is like. No note is shown to a visitor. */
export function Landing() {
  return (
    <div className="page landing">
      <div className="landing-first">
        <div className="landing-words">
          <h1 className="landing-title">
            Study notes, <span className="landing-mark">shared</span>.
          </h1>
          <p className="landing-lead">
            Lectern is the desk where students leave their notes for the next one. Find the PDF that finally explains
            your course, and put yours beside it.
          </p>
          <div className="landing-actions">
            <ButtonLink to={paths.register()}>Register</ButtonLink>
            <ButtonLink variant="secondary" to={paths.login()}>
              Login
            </ButtonLink>
          </div>
        </div>
        <DeskPicture />
        <dl className="landing-points">
          <div>
            <dt>Find</dt>
            <dd>Search inside the notes, down to the page, or by title, course, year and instructor.</dd>
          </div>
          <div>
            <dt>Share</dt>
            <dd>Drop your PDFs, name the course, done. With your name or without it.</dd>
          </div>
          <div>
            <dt>Thank</dt>
            <dd>A like tells the author it helped, and keeps the note within your reach.</dd>
          </div>
        </dl>
      </div>
      <AboutPlace />
    </div>
  )
}
