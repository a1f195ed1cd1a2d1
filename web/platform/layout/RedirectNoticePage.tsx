import type { ReactNode } from 'react'
import type { IllustrationName } from '../ui/Illustration.tsx'
import { CenteredPage } from './CenteredPage.tsx'
import { RedirectCountdown } from './RedirectCountdown.tsx'

type RedirectNoticePageProps = {
  title: string
  drawing: IllustrationName
  children: ReactNode
  to: string
  /** The name of the target in a sentence: "the login page". */
  destination: string
}

/** A page with one message that then redirects. */
export function RedirectNoticePage({ title, drawing, children, to, destination }: RedirectNoticePageProps) {
  return (
    <CenteredPage drawing={drawing} title={title} text={children}>
      <RedirectCountdown to={to} destination={destination} />
    </CenteredPage>
  )
}
