import type { ReactNode } from 'react'
import { Drawing, type DrawingName } from './Drawing.tsx'
import './empty-state.css'

type EmptyStateProps = {
  title: string
  children?: ReactNode
  action?: ReactNode
  drawing?: DrawingName
  isSaid?: boolean
}

/**
 * Nothing here: why, in the title's words, and the next step.
 * @param isSaid a status says the title to who listens: it is not to be heard twice.
 */
export function EmptyState({ title, children, action, drawing = 'shelf', isSaid }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <Drawing name={drawing} />
      <p className="empty-state-title" aria-hidden={isSaid}>
        {title}
      </p>
      {children && <div className="empty-state-text">{children}</div>}
      {action && <div className="empty-state-action">{action}</div>}
    </div>
  )
}
