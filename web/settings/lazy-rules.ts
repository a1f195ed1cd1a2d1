import { zodResolver } from '@hookform/resolvers/zod'
import { lazyResolvers } from '../accounts/lazy-resolvers.ts'

export const { resolverOf: lazyRules, prepare: prepareRules } = lazyResolvers(async () => {
  const { emailChange, nameChange, passwordChange, passwordConfirmation } = await import('../../contract/settings.ts')
  return {
    emailChange: zodResolver(emailChange),
    nameChange: zodResolver(nameChange),
    passwordChange: zodResolver(passwordChange),
    passwordConfirmation: zodResolver(passwordConfirmation),
  }
})
