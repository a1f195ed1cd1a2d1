import { createPasskeyLoginOptions } from '../../../packages/contract/passkeys.endpoints.ts'
import type { CreationOptions } from '../../../packages/contract/passkeys.ts'
import { api, getErrorMessage } from '../../platform/api/client.ts'
import { readStored, store } from '../../platform/storage.ts'
import { genericError } from './form-errors.ts'

const loadWebAuthn = () => import('@simplewebauthn/browser')

/** Passkeys are bound to a domain: they need https and do not work for IP addresses. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname)

/** Requests a passkey from the browser; with `autofill` the browser offers it in the email field. */
export async function requestPasskey({ autofill = false } = {}) {
  const [{ startAuthentication }, optionsJSON] = await Promise.all([
    loadWebAuthn(),
    api.call(createPasskeyLoginOptions),
  ])
  return startAuthentication({ optionsJSON, useBrowserAutofill: autofill })
}

export async function createPasskey(options: CreationOptions) {
  const { startRegistration } = await loadWebAuthn()
  // The library's type lists fixed transports, but browsers report others, too.
  return startRegistration({ optionsJSON: options as Parameters<typeof startRegistration>[0]['optionsJSON'] })
}

/** Ends the passkey autofill when the page is left. */
export const cancelPasskeyAutofill = async (): Promise<void> =>
  (await loadWebAuthn()).WebAuthnAbortService.cancelCeremony()

/** The browser's or the server's error as a message. */
export function passkeyMessage(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'This device already has a passkey for your account.'
  if (code === 'ERROR_INVALID_DOMAIN') return 'Passkeys aren’t available at this address.'
  if (name === 'NotAllowedError') return 'The passkey request was cancelled or timed out.'
  return getErrorMessage(error, genericError)
}

/**
 * Whether a passkey was created or used in this browser, so that autofill is worth a request. Not secret and never
 * trusted.
 */
const storageKey = 'lectern-passkey'

export const hasUsedPasskey = (): boolean => hasPasskeys() && readStored(storageKey) === 'yes'
export const rememberPasskey = (): void => store(storageKey, 'yes')
