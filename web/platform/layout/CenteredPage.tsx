import type { ReactNode } from 'react'
import { Card } from '../ui/Card.tsx'
import { Illustration, type IllustrationName } from '../ui/Illustration.tsx'
import { Text } from '../ui/layout.tsx'
import './centered-page.css'

type SinglePageProps = {
  drawing: IllustrationName
  title: string
  text: ReactNode
  /** The text changes, and is read out then. */
  isLive?: boolean
  /** What leads on. */
  children: ReactNode
}

/** One sheet in the middle of the desk, for a page with a single thing to say. */
export function CenteredPage({ drawing, title, text, isLive, children }: SinglePageProps) {
  return (
    <div className="page single-page">
      <Card>
        <Illustration name={drawing} />
        <h1 className="page-title">{title}</h1>
        <Text role={isLive ? 'status' : undefined} tone="soft" size="large" top={0.75} bottom={1.5}>
          {text}
        </Text>
        {children}
      </Card>
    </div>
  )
}
