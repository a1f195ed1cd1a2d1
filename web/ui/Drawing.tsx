import type { ReactNode } from 'react'

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

const drawings: Record<DrawingName, ReactNode> = {
  shelf: <path d="M10 90h140" />,
  search: <path d="M10 90h140" />,
  heart: <path d="M10 90h140" />,
  eye: <path d="M10 90h140" />,
  upload: <path d="M10 90h140" />,
  lost: <path d="M10 90h140" />,
  letter: <path d="M10 90h140" />,
  done: <path d="M10 90h140" />,
  clock: <path d="M10 90h140" />,
  broken: <path d="M10 90h140" />,
}

export function Drawing({ name }: { name: DrawingName }) {
  return (
    <svg viewBox="0 0 160 110" className="drawing" aria-hidden="true">
      {drawings[name]}
    </svg>
  )
}
