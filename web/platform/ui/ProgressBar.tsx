import './progress-bar.css'

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
