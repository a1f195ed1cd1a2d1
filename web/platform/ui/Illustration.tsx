import './illustration.css'
import icons from './icons.svg?no-inline'

export type DrawingName =
  | 'shelf'
  | 'search'
  | 'heart'
  | 'eye'
  | 'upload'
  | 'lost'
  | 'broken'
  | 'letter'
  | 'done'
  | 'clock'

export const Drawing = ({ name }: { name: DrawingName }) => (
  <svg viewBox="0 0 160 110" className="drawing" aria-hidden="true">
    <use href={`${icons}#drawing-${name}`} />
  </svg>
)
