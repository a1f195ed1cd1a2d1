import type { ComponentProps, ReactNode } from 'react'
import './radio.css'

type RadioProps = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; hint: ReactNode }

/** One of several in a fieldset that says what is chosen. */
export function Radio({ label, hint, ...rest }: RadioProps) {
  return (
    <label className="radio">
      <input {...rest} type="radio" />
      <span>
        {label}
        <span className="radio-hint">{hint}</span>
      </span>
    </label>
  )
}
