import type { ChangeEvent, ComponentProps } from 'react'
import { lowerCaseInPlace } from './lower-case.ts'
import { TextField } from './TextField.tsx'

/** An e-mail address, lower-cased as it is typed. Set `autoComplete`, so that password managers know its part. */
export function EmailField({
  onChange,
  label = 'Email',
  ...rest
}: Omit<ComponentProps<typeof TextField>, 'label' | 'type'> & { label?: string }) {
  return (
    <TextField
      // Not type="email": the browser would hide the caret's place, which lower-casing has to put back.
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
