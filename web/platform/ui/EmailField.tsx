import type { ChangeEvent, ComponentProps } from 'react'
import { lowerCaseInPlace } from './lower-case.ts'
import { TextField } from './TextField.tsx'

/** An email address, lower-cased while typed. Set `autoComplete` for password managers. */
export function EmailField({
  onChange,
  label = 'Email',
  ...rest
}: Omit<ComponentProps<typeof TextField>, 'label' | 'type'> & { label?: string }) {
  return (
    <TextField
      // Not type="email": browsers then hide the caret position, which lower-casing has to restore.
      inputMode="email"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...rest}
      label={label}
      onChange={(event: ChangeEvent<HTMLInputElement>) => {
        lowerCaseInPlace(event.target)
        onChange?.(event)
      }}
    />
  )
}
