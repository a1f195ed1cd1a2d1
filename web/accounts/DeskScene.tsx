import './desk-scene.css'

/** Our picture of the place: a lectern under its lamp, notes beside it, and a marigold. */
export function DeskScene() {
  return (
    <svg className="desk-scene" viewBox="0 0 520 480" fill="none" aria-hidden="true">
      <defs>
        <linearGradient id="lamp-light" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="var(--marigold)" stopOpacity="0.34" />
          <stop offset="1" stopColor="var(--marigold)" stopOpacity="0" />
        </linearGradient>
      </defs>
      <path d="M222 92h84l118 342H104Z" fill="url(#lamp-light)" />
      <Lamp />
      <Lectern />
      <Book />
      <Stack />
      <Marigold />
      <path d="M24 446h472" className="desk-scene-ink" />
    </svg>
  )
}

const Lamp = () => (
  <g className="desk-scene-ink">
    <path d="M264-600V46" />
    <path d="M250 46h28l6 14h-40Z" fill="var(--ink)" />
    <path className="desk-scene-lamp-shade" d="M244 60c-22 4-34 16-38 32h116c-4-16-16-28-38-32Z" />
    <path d="M250 93a14 9 0 0 0 28 0Z" fill="var(--marigold)" stroke="none" />
  </g>
)

const Lectern = () => (
  <g className="desk-scene-ink">
    <path d="M246 300h36l8 132h-52Z" fill="var(--sunken)" />
    <path d="M264 304v124" opacity="0.35" />
    <path d="M196 446c0-10 8-16 20-16h96c12 0 20 6 20 16Z" fill="var(--sheet)" />
    <path d="M158 196h212l40 88H118Z" fill="var(--sheet)" />
    <path d="M110 284h308v16H110Z" fill="var(--sunken)" />
  </g>
)

const textLines = [0, 1, 2, 3, 4]

const Book = () => (
  <g className="desk-scene-ink">
    <path d="M264 172c-26-16-58-20-92-14l-30 100c42-6 82-2 122 14Z" fill="var(--lit)" />
    <path d="M264 172c26-16 58-20 92-14l30 100c-42-6-82-2-122 14Z" fill="var(--lit)" />
    <path d="M290 206c22-8 42-10 66-8l5 17c-24-2-45 0-68 9Z" fill="var(--marigold)" stroke="none" />
    <g strokeWidth="2" stroke="var(--on-marigold)" opacity="0.5">
      {textLines.map((line) => (
        <path key={line} d={`M${182 - line * 4.6} ${177 + line * 16}c24-3 46 0 ${66 + line * 4} 10`} />
      ))}
      {textLines.map((line) => (
        <path key={line} d={`M280 ${187 + line * 16}c20-10 42-13 ${line === 4 ? 40 : 66 + line * 4}-10`} />
      ))}
    </g>
    <path d="M264 172v100" stroke="var(--lit-ink)" />
  </g>
)

/** Bottom to top: a spine's hue, where the sheet begins and how wide it is. */
const notes: [number, number, number][] = [
  [255, 372, 112],
  [25, 380, 104],
  [165, 368, 110],
  [305, 378, 100],
  [215, 374, 108],
]

const Stack = () => (
  <g className="desk-scene-ink">
    {notes.map(([hue, x, width], index) => (
      <g key={hue} transform={`translate(${x} ${430 - index * 15})`}>
        <path d={`M0 0h${width}v15H0Z`} fill="var(--sheet)" />
        <path d="M0 0h16v15H0Z" fill={`oklch(0.68 0.13 ${hue})`} />
        <path d={`M28 8h${width * 0.45}`} strokeWidth="2" opacity="0.45" />
      </g>
    ))}
  </g>
)

const petals = [0, 45, 90, 135, 180, 225, 270, 315]

const Marigold = () => (
  <g className="desk-scene-ink">
    <path d="M76 400c2-22 0-40-4-58" stroke="var(--success)" />
    <path
      d="M76 384c-12 0-20-6-22-16 12-1 20 5 22 16ZM77 372c8-2 14-8 15-17-9 1-14 7-15 17Z"
      fill="var(--success)"
      stroke="none"
    />
    <path d="M52 394h46l-5 52H57Z" fill="var(--sheet)" />
    <path d="M54 412h42" opacity="0.35" />
    <g transform="translate(71 328)">
      {petals.map((degrees) => (
        <circle key={degrees} r="9.5" cx="13" transform={`rotate(${degrees})`} fill="var(--marigold)" strokeWidth="2" />
      ))}
      <circle r="13" fill="var(--marigold)" stroke="none" />
      <path d="M-6-4c4-4 9-4 12 0M-7 3c4 5 10 5 14 0" strokeWidth="2" />
    </g>
  </g>
)
