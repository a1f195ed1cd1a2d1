import type { ReactNode } from 'react'
import { Illustration, type IllustrationName } from '../ui/Icon.tsx'
import { Card, Text } from '../ui/layout.tsx'
import './centered-page.css'

type CenteredPageProps = {
  drawing: IllustrationName
  title: string
  text: ReactNode
  /** Announces changes of the text. */
  isLive?: boolean
  /** The links and buttons below the text. */
  children: ReactNode
}

/** A page with a single message. */
export const CenteredPage = ({ drawing, title, text, isLive, children }: CenteredPageProps) => (
  <div className="page centered-page">
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
