import { zodResolver } from '@hookform/resolvers/zod'

type Accounts = typeof import('../../contract/accounts.ts')

/** The rules of account forms, from the contract's schemas: both are loaded behind the open form. */
export const createResolvers = ({
  credentials,
  registration,
  resetRequest,
  passwordReset,
  rivalVerification,
}: Accounts) => ({
  login: zodResolver(credentials),
  registration: zodResolver(registration),
  resetRequest: zodResolver(resetRequest),
  passwordReset: zodResolver(passwordReset),
  rivalVerification: zodResolver(rivalVerification),
})
