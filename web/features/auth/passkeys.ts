import { createPasskeyLoginOptions } from '../../../packages/contract/passkeys.endpoints.ts'
import type { CreationOptions } from '../../../packages/contract/passkeys.ts'
import { api, getErrorMessage } from '../../platform/api/client.ts'
import { genericError } from './form-errors.ts'

const loadWebAuthn = () => import('@simplewebauthn/browser')

/** Passkeys belong to the name of a site: there are none over plain http, and none for an address of numbers. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname)

/** Has the browser ask its student for a passkey; with `autofill` it offers them where the email is typed. */
export async function requestPasskey({ autofill = false } = {}) {
  const [{ startAuthentication }, optionsJSON] = await Promise.all([
    loadWebAuthn(),
    api.call(createPasskeyLoginOptions),
  ])
  return startAuthentication({ optionsJSON, useBrowserAutofill: autofill })
}

export async function createPasskey(options: CreationOptions) {
  const { startRegistration } = await loadWebAuthn()
  // Its own type knows a fixed list of transports; browsers say others, too.
  return startRegistration({ optionsJSON: options as Parameters<typeof startRegistration>[0]['optionsJSON'] })
}

/** Offers no passkeys any more: the page is left. */
export const cancelPasskeyAutofill = async (): Promise<void> =>
  (await loadWebAuthn()).WebAuthnAbortService.cancelCeremony()

/** What the browser or the server has against it. */
export function passkeyMessage(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'There is a passkey for Lectern on it already.'
  if (code === 'ERROR_INVALID_DOMAIN') return 'Passkeys do not work at this address of Lectern.'
  if (name === 'NotAllowedError') return 'No passkey was used: it was cancelled, or took too long.'
  return getErrorMessage(error, genericError)
}

/**
 * Whether a passkey was made or used in this browser, so that offering one by itself is worth asking the server for.
 * Nothing secret and never trusted.
 */
const storageKey = 'lectern-passkey'

export function hasUsedPasskey(): boolean {
  try {
    return hasPasskeys() && localStorage.getItem(storageKey) !== null
  } catch {
    return false
  }
}

export function rememberPasskey(): void {
  try {
    localStorage.setItem(storageKey, 'yes')
  } catch {
    // The button is there all the same.
  }
}
