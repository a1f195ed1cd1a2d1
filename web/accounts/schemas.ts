import { zodResolver } from '@hookform/resolvers/zod'
import {
  accountMessages,
  credentials,
  passwordReset,
  registration,
  resetRequest,
  rivalVerification,
} from '../../contract/accounts.ts'

/** Everything about account forms that needs the contract's schemas: a part of its own, loaded behind the open form. */
export const resolvers = {
  login: zodResolver(credentials),
  registration: zodResolver(registration),
  resetRequest: zodResolver(resetRequest),
  passwordReset: zodResolver(passwordReset),
  rivalVerification: zodResolver(rivalVerification),
}
export const texts = accountMessages
