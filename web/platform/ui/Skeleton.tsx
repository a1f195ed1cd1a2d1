import { classNames } from './class-names.ts'
import './skeleton.css'

/** A placeholder of the same size as the loading content. It appears only after a noticeable wait. */
export const Skeleton = ({ className, width }: { className?: string; width?: number }) => (
  <div
    aria-hidden="true"
    className={classNames('skeleton', className)}
    style={width ? { width: `${width}%` } : undefined}
  />
)
