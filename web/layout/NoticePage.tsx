import type { ReactNode } from 'react'
import { Drawing, type DrawingName } from '../ui/Drawing.tsx'
import { RedirectCountdown } from './RedirectCountdown.tsx'
import { SinglePage } from './SinglePage.tsx'
import './single-page.css'

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
    <SinglePage>
      <Drawing name={drawing} />
      <h1 className="page-title">{title}</h1>
      <p className="single-page-text">{children}</p>
      <RedirectCountdown to={to} destination={destination} />
    </SinglePage>
  )
}
