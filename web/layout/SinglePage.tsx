import type { ReactNode } from 'react'
import { Paper } from '../ui/Paper.tsx'
import './single-page.css'

/** One sheet in the middle of the desk, for a page with a single thing to say. */
export function SinglePage({ children }: { children: ReactNode }) {
  return (
    <div className="page single-page">
      <Paper className="single-page-paper">{children}</Paper>
    </div>
  )
}
