import desk from './desk.svg?no-inline'
import './hero-illustration.css'

/** The positions of the drawn sheets, from bottom to top. */
const sheets = [
  ['leaf', 'translate(300 34) rotate(9 110 155)'],
  ['fig', 'translate(52 66) rotate(-10 110 155)'],
  ['oak', 'translate(172 96) rotate(-1.5 110 155)'],
]

/** Shows three sheets and a highlighter. */
export const HeroIllustration = () => (
  <svg className="desk-picture" viewBox="0 0 580 470" fill="none" aria-hidden="true">
    {sheets.map(([name, place]) => (
      <g key={name} transform={place} className="desk-picture-sheet">
        <use href={`${desk}#${name}`} />
      </g>
    ))}
    <use href={`${desk}#highlighter`} />
  </svg>
)
