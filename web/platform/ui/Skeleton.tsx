import { classNames } from './class-names.ts'
import './skeleton.css'

type SkeletonProps = {
  className?: string
  width?: number
}

/** A placeholder of the same size as the loading content. It appears only after a noticeable wait. */
export const Skeleton = ({ className, width }: SkeletonProps) => (
  <div
    aria-hidden="true"
    className={classNames('skeleton', className)}
    style={width ? { width: `${width}%` } : undefined}
  />
)
