import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import './card.css'

/** A sheet with a second one of the same width below it. */
export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <div className={classNames('card', className)}>
      <section {...rest} className="card-sheet" />
    </div>
  )
}
