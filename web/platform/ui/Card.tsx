import type { ComponentProps } from 'react'
import { classes } from './class-names.ts'
import './card.css'

/** A sheet to read or write on, with a second one under it, which is as wide. */
export function Paper({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <div className={classes('paper', className)}>
      <section {...rest} className="paper-sheet" />
    </div>
  )
}
