import { zodResolver } from '@hookform/resolvers/zod'
import { lazyResolvers } from '../accounts/lazy-resolvers.ts'

export const { resolverOf: lazyRules, prepare: prepareRules } = lazyResolvers(async () => {
  const [{ emailChange, nameChange, passwordChange, passwordConfirmation }, { passkeyForm, passkeyRename }] =
    await Promise.all([import('../../contract/settings.ts'), import('../../contract/passkeys.ts')])
  return {
    emailChange: zodResolver(emailChange),
    nameChange: zodResolver(nameChange),
    passkeyForm: zodResolver(passkeyForm),
    passkeyRename: zodResolver(passkeyRename),
    passwordChange: zodResolver(passwordChange),
    passwordConfirmation: zodResolver(passwordConfirmation),
  }
})
