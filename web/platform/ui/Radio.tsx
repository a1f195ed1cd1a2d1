import type { ComponentProps, ReactNode } from 'react'
import './radio.css'
import { Text } from './layout.tsx'

type RadioProps = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; hint: ReactNode }

/** An option in a fieldset, whose legend names the choice. */
export function Radio({ label, hint, ...rest }: RadioProps) {
  return (
    <label className="radio">
      <input {...rest} type="radio" />
      <span>
        {label}
        <Text as="span" tone="soft" size="small">
          {hint}
        </Text>
      </span>
    </label>
  )
}
