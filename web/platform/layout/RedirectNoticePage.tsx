import type { ReactNode } from 'react'
import type { DrawingName } from '../ui/Illustration.tsx'
import { SinglePage } from './CenteredPage.tsx'
import { RedirectCountdown } from './RedirectCountdown.tsx'

type NoticePageProps = {
  title: string
  drawing: DrawingName
  children: ReactNode
  to: string
  /** How a sentence names where `to` leads: "the login page". */
  destination: string
}

/** A page that says one thing and then leads on. */
export function NoticePage({ title, drawing, children, to, destination }: NoticePageProps) {
  return (
    <SinglePage drawing={drawing} title={title} text={children}>
      <RedirectCountdown to={to} destination={destination} />
    </SinglePage>
  )
}
