import { drawSheet } from './sheet-drawing.ts'
import './desk-picture.css'

/** Drawn sheets, nobody's notes: what lies on the desk of the front page. From the lowest to the topmost. */
const sheets = [
  { heading: 'Osmosis', hue: 165, seed: 'leaf', place: 'translate(300 34) rotate(9 110 155)' },
  { heading: 'Verbs', hue: 25, seed: 'fig', place: 'translate(52 66) rotate(-10 110 155)' },
  { heading: 'Limits', hue: 255, seed: 'oak', place: 'translate(172 96) rotate(-1.5 110 155)' },
]

/** Three sheets and a highlighter that has just marked a line. */
export function DeskPicture() {
  return (
    <svg className="desk-picture" viewBox="0 0 580 470" fill="none" aria-hidden="true">
      {sheets.map((sheet) => (
        <Sheet key={sheet.seed} {...sheet} />
      ))}
      <Highlighter />
    </svg>
  )
}

type SheetProps = (typeof sheets)[number]

function Sheet({ heading, hue, seed, place }: SheetProps) {
  const { lines, figure, marks } = drawSheet(seed)
  return (
    <g transform={place} className="desk-picture-sheet">
      <path d="M10 0h224v311H10Z" fill="var(--page)" stroke="var(--page-edge)" transform="translate(9 -9)" />
      <path d="M10 0h224v311H10Z" fill="var(--page)" stroke="var(--page-edge)" transform="translate(4.5 -4.5)" />
      <path d="M0 0h234v311H0Z" fill="var(--page)" stroke="var(--page-edge)" />
      <path d="M0 0h16v311H0Z" fill={`oklch(0.62 0.14 ${hue})`} />
      <path d="M0 0h5v311H0ZM13.5 0h2.5v311h-2.5Z" fill={`oklch(0.5 0.13 ${hue} / 0.55)`} />
      <g transform="translate(14 0) scale(2.2)" strokeLinecap="round" strokeLinejoin="round">
        <text x="13" y="22" className="desk-picture-heading" fill={`oklch(0.42 0.12 ${hue})`}>
          {heading}
        </text>
        <path d="M13 29H48" stroke="var(--page-line)" strokeWidth="1.6" />
        <path d={marks} stroke="oklch(0.87 0.15 88)" strokeWidth="4.4" strokeLinecap="butt" />
        <path d={lines} stroke="var(--page-line)" strokeWidth="1.9" />
        <path d={figure} stroke={`oklch(0.45 0.12 ${hue})`} strokeWidth="1.2" />
      </g>
    </g>
  )
}

const Highlighter = () => (
  <g transform="translate(352 300) rotate(38)">
    <path d="M6 8h170v30H6Z" fill="var(--shadow-ink)" transform="translate(4 10)" />
    <path d="M-34 14l16-6v30l-16-6Z" fill="oklch(0.87 0.15 88)" />
    <path d="M-18 4h26v38h-26Z" fill="var(--pen-dark)" />
    <path d="M8 0h120v46H8Z" fill="oklch(0.825 0.165 78)" />
    <path d="M8 6h120v9H8Z" fill="oklch(0.92 0.1 88)" />
    <path d="M128 0h52c8 0 12 10 12 23s-4 23-12 23h-52Z" fill="var(--pen-dark)" />
    <path d="M128 6h58c2 3 3 6 4 9h-62Z" fill="oklch(1 0 0 / 0.18)" />
  </g>
)
