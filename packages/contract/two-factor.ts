import * as z from 'zod/mini'
import { cleanLine } from './clean-text.ts'
import { count, messages, timestamp } from './fields.ts'

/** A typed code, also in full-width digits: of an app, such as `123 456`, or a recovery code, such as `8k2mq-x3vtd`. */
export const code = z.string({ error: messages.fillAllFields }).check(
  z.overwrite((typed) => cleanLine(typed).normalize('NFKC')),
  z.minLength(1, { error: messages.fillAllFields }),
  z.maxLength(40),
)
export const codeForm = z.object({ code }, { error: messages.fillAllFields })

/** Null means that only the password is required. */
export const twoFactor = z.object({
  twoFactor: z.nullable(z.object({ since: timestamp, recoveryCodesLeft: count })),
})
export type TwoFactor = z.infer<typeof twoFactor>['twoFactor']

/** The setup data for an app: `uri` for scanning, `secret` for typing, in base32. */
export const twoFactorSetup = z.object({ secret: z.string(), uri: z.string() })
export type TwoFactorSetup = z.infer<typeof twoFactorSetup>

/** Returned only once. */
export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
