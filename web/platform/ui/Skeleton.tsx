import { classNames } from './class-names.ts'
import './skeleton.css'

type SkeletonProps = {
  className?: string
  /** In percent. */
  width?: number
}

/** A place held for what is still loading; give it the size of that. Appears only where the wait is felt. */
export const Skeleton = ({ className, width }: SkeletonProps) => (
  <div
    aria-hidden="true"
    className={classNames('skeleton', className)}
    style={width ? { width: `${width}%` } : undefined}
  />
)
