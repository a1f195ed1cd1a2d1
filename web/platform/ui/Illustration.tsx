import './illustration.css'
import icons from './icons.svg?no-inline'

export type IllustrationName =
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

export const Illustration = ({ name }: { name: IllustrationName }) => (
  <svg viewBox="0 0 160 110" className="illustration" aria-hidden="true">
    <use href={`${icons}#drawing-${name}`} />
  </svg>
)
