import type {
  CreationOptions,
  NewPasskey,
  PasskeyLogin,
  RequestOptions,
} from '../../../../packages/contract/passkeys.ts'
import { fail } from '../../../platform/http/api-error.ts'

/** `@simplewebauthn/server`, which verifies the responses of authenticators, is loaded on first use. */
const load = () => import('@simplewebauthn/server')

/** Authenticators support EdDSA, ES256 and RS256. */
const algorithms = [-8, -7, -257]
const siteName = 'Lectern'
export const challengeTtlSeconds = 5 * 60
const timeout = challengeTtlSeconds * 1000

/** Passkeys are bound to the one host and origin that students open. */
const siteOf = (publicUrl: string) => ({ id: new URL(publicUrl).hostname, origin: new URL(publicUrl).origin })
const type = 'public-key'
const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

type Owner = { name: string; email: string; handle: Buffer }
type Known = { credentialId: Buffer; transports: string[] }

export const creationOptionsFor = (
  publicUrl: string,
  challenge: string,
  { name, email, handle }: Owner,
  known: Known[],
): CreationOptions => ({
  challenge,
  rp: { id: siteOf(publicUrl).id, name: siteName },
  user: { id: toText(handle), name: email, displayName: name },
  pubKeyCredParams: algorithms.map((alg) => ({ alg, type })),
  timeout,
  excludeCredentials: known.map(({ credentialId, transports }) => ({ id: toText(credentialId), type, transports })),
  // A discoverable key needs no user name, and user verification lets it replace a password and a code.
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
})

export const requestOptionsFor = (publicUrl: string, challenge: string): RequestOptions => ({
  challenge,
  rpId: siteOf(publicUrl).id,
  timeout,
  userVerification: 'required',
})

/** Returns the challenge that the authenticator claims to have signed; empty when there is none. */
export function challengeOf({ response }: { response: { clientDataJSON: string } }): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'))
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    return ''
  }
}

/** @returns the columns of the new passkey. @throws passkey_not_added */
export async function verifyNew(publicUrl: string, credential: NewPasskey['credential'], challenge: string) {
  const { verifyRegistrationResponse } = await load()
  const { id, origin } = siteOf(publicUrl)
  const { transports = [] } = credential.response
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...credential, response: { ...credential.response, transports }, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch((cause) => fail('passkey_not_added', { cause }))
  if (!verified) fail('passkey_not_added')
  const made = registrationInfo.credential
  return {
    credential_id: Buffer.from(made.id, 'base64url'),
    public_key: Buffer.from(made.publicKey),
    sign_count: made.counter,
    transports,
  }
}

/** @returns the signature counter that the passkey reports. @throws passkey_refused */
export async function verifyLogin(
  publicUrl: string,
  credential: PasskeyLogin['credential'],
  challenge: string,
  known: { publicKey: Buffer; signCount: number },
): Promise<number> {
  const { verifyAuthenticationResponse } = await load()
  const { id, origin } = siteOf(publicUrl)
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    credential: { id: credential.id, publicKey: new Uint8Array(known.publicKey), counter: known.signCount },
  }).catch((cause) => fail('passkey_refused', { cause }))
  if (!verified) fail('passkey_refused')
  return authenticationInfo.newCounter
}
