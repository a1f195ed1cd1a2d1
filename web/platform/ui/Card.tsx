import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import './card.css'

/** A sheet to read or write on, with a second one under it, which is as wide. */
export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <div className={classNames('paper', className)}>
      <section {...rest} className="paper-sheet" />
    </div>
  )
}
