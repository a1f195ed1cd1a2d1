import type { ReactNode } from 'react'
import { Paper } from '../ui/Card.tsx'
import { Drawing, type DrawingName } from '../ui/Illustration.tsx'
import { Text } from '../ui/layout.tsx'
import './centered-page.css'

type SinglePageProps = {
  drawing: DrawingName
  title: string
  text: ReactNode
  /** The text changes, and is read out then. */
  isLive?: boolean
  /** What leads on. */
  children: ReactNode
}

/** One sheet in the middle of the desk, for a page with a single thing to say. */
export function SinglePage({ drawing, title, text, isLive, children }: SinglePageProps) {
  return (
    <div className="page single-page">
      <Paper>
        <Drawing name={drawing} />
        <h1 className="page-title">{title}</h1>
        <Text role={isLive ? 'status' : undefined} tone="soft" size="large" top={0.75} bottom={1.5}>
          {text}
        </Text>
        {children}
      </Paper>
    </div>
  )
}
