import * as paths from '../../platform/paths.ts'
import { ButtonLink } from '../../platform/ui/Button.tsx'
import { Grid, Row, Text } from '../../platform/ui/layout.tsx'
import { AboutSection } from './AboutSection.tsx'
import desk from './desk.svg?no-inline'
import './landing.css'

const points = [
  ['Find', 'Search the full text of every note, or filter by title, course, year and instructor.'],
  ['Share', 'Drop in your PDFs and pick a course. Use your name or stay anonymous.'],
  ['Thank', 'Like a note to thank its author and find it again later.'],
]

/** Shows visitors what Lectern does, on one screen, followed by facts about this instance. Visitors see no notes. */
export const Landing = () => (
  <div className="page landing">
    <div className="landing-first">
      <div className="landing-text">
        <h1 className="landing-title">
          Study notes, <span className="landing-mark">shared</span>.
        </h1>
        <p className="text-soft landing-lead">Find notes from students who took your course, and share your own.</p>
        <Row top={1.75}>
          <ButtonLink to={paths.register()}>Register</ButtonLink>
          <ButtonLink variant="secondary" to={paths.login()}>
            Login
          </ButtonLink>
        </Row>
      </div>
      <HeroIllustration />
      <Grid as="dl" gap={[0.75, 2]} columns={11} className="landing-points">
        {points.map(([name, text]) => (
          <div key={name}>
            <Text as="dt" isSerif className="landing-point">
              {name}
            </Text>
            <Text as="dd" tone="soft" size="medium" top={0.25}>
              {text}
            </Text>
          </div>
        ))}
      </Grid>
    </div>
    <AboutSection />
  </div>
)

const sheets = [
  ['leaf', 'translate(300 34) rotate(9 110 155)'],
  ['fig', 'translate(52 66) rotate(-10 110 155)'],
  ['oak', 'translate(172 96) rotate(-1.5 110 155)'],
]

const HeroIllustration = () => (
  <svg className="hero-illustration" viewBox="0 0 580 470" fill="none" aria-hidden="true">
    {sheets.map(([name, place]) => (
      <g key={name} transform={place} className="hero-illustration-sheet">
        <use href={`${desk}#${name}`} />
      </g>
    ))}
    <use href={`${desk}#highlighter`} />
  </svg>
)
