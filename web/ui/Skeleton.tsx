import { classes } from './classes.ts'
import './skeleton.css'

/** A place held for what is still loading; give it the size of that. Appears only where the wait is felt. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classes('skeleton', className)} />
}
