import * as z from 'zod/mini'
import { currentPassword } from './accounts.ts'
import { id, messages, singleLineText, timestamp } from './fields.ts'
import { passkeyNameLength } from './limits.ts'

export const passkey = z.object({
  _id: id,
  name: z.string(),
  createdAt: timestamp,
  /** Null if it was never used. */
  lastUsedAt: z.nullable(timestamp),
})
export type Passkey = z.infer<typeof passkey>
export const ownPasskeys = z.object({ passkeys: z.array(passkey) })
export const passkeyParams = z.object({ id })

const passkeyName = singleLineText(passkeyNameLength.max, messages.fillAllFields)
export const passkeyRename = z.object({ name: passkeyName }, { error: messages.fillAllFields })
/** The form input before the browser asks the user for a passkey. */
export const passkeyForm = z.object({ name: passkeyName, ...currentPassword })

/** Bytes in WebAuthn's JSON form: base64url. */
const bytes = (maxLength: number) => z.string().check(z.maxLength(maxLength), z.regex(/^[\w-]+$/))
const credentialId = bytes(2_000)
const transports = z.array(z.string().check(z.maxLength(32))).check(z.maxLength(16))
const credential = { id: credentialId, rawId: credentialId, type: z.literal('public-key') }
const verification = z.literal('required')

/** `PublicKeyCredentialCreationOptionsJSON`, reduced to the fields used here. */
export const creationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: credential.type })),
  timeout: z.int(),
  excludeCredentials: z.array(z.object({ id: z.string(), type: credential.type, transports })),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: verification,
  }),
  attestation: z.literal('none'),
})
export type CreationOptions = z.infer<typeof creationOptions>

/** `PublicKeyCredentialRequestOptionsJSON`, without a list of passkeys, because the user is not known yet. */
export const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: verification,
})
export type RequestOptions = z.infer<typeof requestOptions>

/** `RegistrationResponseJSON` and the name for the passkey. */
export const newPasskey = z.object(
  {
    name: passkeyName,
    credential: z.object({
      ...credential,
      response: z.object({
        clientDataJSON: bytes(10_000),
        attestationObject: bytes(30_000),
        transports: z.optional(transports),
      }),
    }),
  },
  { error: messages.fillAllFields },
)
export type NewPasskey = z.infer<typeof newPasskey>

/** `AuthenticationResponseJSON`. */
export const passkeyLogin = z.object({
  credential: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(10_000),
      authenticatorData: bytes(10_000),
      signature: bytes(10_000),
      userHandle: z.optional(bytes(200)),
    }),
  }),
})
export type PasskeyLogin = z.infer<typeof passkeyLogin>
