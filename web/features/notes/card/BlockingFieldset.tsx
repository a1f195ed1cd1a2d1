import type { MouseEvent, ReactNode } from 'react'
import './blocking-fieldset.css'

/** Disables its content while blocked (SPEC.md section 4: actions are blocked while a load is in progress). */
export function BlockingFieldset({ isBlocked, children }: { isBlocked: boolean; children: ReactNode }) {
  return (
    <fieldset disabled={isBlocked} className="blocking-fieldset" onClickCapture={isBlocked ? blockLinks : undefined}>
      {children}
    </fieldset>
  )
}

/** A disabled fieldset does not disable links. */
const blockLinks = (event: MouseEvent) => (event.target as Element).closest('a') && event.preventDefault()
