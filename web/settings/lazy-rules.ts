import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldValues, Resolver } from 'react-hook-form'

async function loadRules() {
  const { emailChange, nameChange, passwordChange, passwordConfirmation } = await import('../../contract/settings.ts')
  return {
    emailChange: zodResolver(emailChange),
    nameChange: zodResolver(nameChange),
    passwordChange: zodResolver(passwordChange),
    passwordConfirmation: zodResolver(passwordConfirmation),
  }
}

type Rules = Awaited<ReturnType<typeof loadRules>>

/** The contract's rules for a form, fetched when first needed, as those of the account pages are. */
export function lazyRules<Name extends keyof Rules>(name: Name): Rules[Name] {
  const resolver: Resolver<FieldValues> = async (...form) =>
    ((await loadRules())[name] as unknown as Resolver<FieldValues>)(...form)
  return resolver as unknown as Rules[Name]
}

/** For a form's `onFocus`: fetches the rules while the first field is filled in. */
export function prepareRules(): void {
  // A failure shows when the form is sent.
  loadRules().catch(() => {})
}
