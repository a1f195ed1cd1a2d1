import type { ReactNode } from 'react'
import { Drawing, type DrawingName } from './Drawing.tsx'

type EmptyStateProps = { title: string; children?: ReactNode; action?: ReactNode; drawing?: DrawingName }

/** Nothing here: why, in the title's words, and the next step. */
export function EmptyState({ title, children, action, drawing = 'shelf' }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <Drawing name={drawing} />
      <p className="empty-state-title">{title}</p>
      {children && <div className="max-w-prose text-ink-soft">{children}</div>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  )
}
