import { classNames } from './layout.tsx'
import './loading.css'

/** A placeholder of the same size as the loading content. It appears only after a noticeable wait. */
export const Skeleton = ({ className, width }: { className?: string; width?: number }) => (
  <div
    aria-hidden="true"
    className={classNames('skeleton', className)}
    style={width ? { width: `${width}%` } : undefined}
  />
)

/** @param value 0 to 1, or null while the progress is unknown. */
export function ProgressBar({ value, label }: { value: number | null; label: string }) {
  const percent = value === null ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="progress-bar"
    >
      <div
        className={percent === undefined ? 'progress-bar-fill progress-bar-unknown' : 'progress-bar-fill'}
        style={percent === undefined ? undefined : { transform: `scaleX(${percent / 100})` }}
      />
    </div>
  )
}
