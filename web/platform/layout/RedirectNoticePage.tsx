import type { ReactNode } from 'react'
import type { IllustrationName } from '../ui/Illustration.tsx'
import { CenteredPage } from './CenteredPage.tsx'
import { RedirectCountdown } from './RedirectCountdown.tsx'

type NoticePageProps = {
  title: string
  drawing: IllustrationName
  children: ReactNode
  to: string
  /** How a sentence names where `to` leads: "the login page". */
  destination: string
}

/** A page that says one thing and then leads on. */
export function RedirectNoticePage({ title, drawing, children, to, destination }: NoticePageProps) {
  return (
    <CenteredPage drawing={drawing} title={title} text={children}>
      <RedirectCountdown to={to} destination={destination} />
    </CenteredPage>
  )
}
