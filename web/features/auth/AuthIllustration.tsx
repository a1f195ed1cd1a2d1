import './auth-illustration.css'
import scene from './desk-scene.svg?no-inline'

/** The illustration of a lectern with notes and a marigold. */
export const AuthIllustration = () => (
  <svg className="desk-scene" viewBox="0 0 520 480" fill="none" aria-hidden="true">
    <defs>
      <linearGradient id="lamp-light" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor="var(--marigold)" stopOpacity="0.34" />
        <stop offset="1" stopColor="var(--marigold)" stopOpacity="0" />
      </linearGradient>
    </defs>
    <path d="M222 92h84l118 342H104Z" fill="url(#lamp-light)" />
    <use href={`${scene}#scene`} />
  </svg>
)
