import type { ReactNode } from 'react'
import { Paper } from '../ui/Paper.tsx'
import './account-page.css'
import { DeskScene } from './DeskScene.tsx'

type AccountPageProps = { title: string; intro?: ReactNode; children: ReactNode; footer: ReactNode }

/** The frame of every account form: a sheet of paper, beside the reading desk where there is room for both. */
export function AccountPage({ title, intro, children, footer }: AccountPageProps) {
  return (
    <div className="page account-page">
      <DeskScene />
      <Paper className="account-page-paper" aria-labelledby="account-title">
        <h1 id="account-title" className="page-title">
          {title}
        </h1>
        {intro && <p className="account-page-intro">{intro}</p>}
        {children}
        <p className="account-page-footer">{footer}</p>
      </Paper>
    </div>
  )
}
