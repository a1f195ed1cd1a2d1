import { useEffect, useState } from 'react'
import { createPasskeyLoginOptions, logInWithPasskey } from '../../../packages/contract/passkeys.endpoints.ts'
import type { CreationOptions } from '../../../packages/contract/passkeys.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { api, getErrorMessage } from '../../platform/api/client.ts'
import { session } from '../../platform/session/store.ts'
import { readStored, store } from '../../platform/storage.ts'
import { whenIdle } from '../../platform/ui/browser.ts'
import { showError } from '../../platform/ui/toast.ts'
import { genericError } from './form-errors.ts'
import { clearVisitorState } from './return-to.ts'

const loadWebAuthn = () => import('@simplewebauthn/browser')

/** Passkeys are bound to a domain: they need https and do not work for IP addresses. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname)

/** Requests a passkey from the browser; with `autofill` the browser offers it in the email field. */
async function requestPasskey({ autofill = false } = {}) {
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
const cancelPasskeyAutofill = async (): Promise<void> => (await loadWebAuthn()).WebAuthnAbortService.cancelCeremony()

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

const hasUsedPasskey = (): boolean => hasPasskeys() && readStored(storageKey) === 'yes'
export const rememberPasskey = (): void => store(storageKey, 'yes')

/** Logs in with a passkey: by a button, or by autofill if one was used in this browser before. */
export function usePasskeyLogin() {
  const [isAsking, setAsking] = useState(false)
  const [isOffered] = useState(hasUsedPasskey)

  useEffect(() => {
    if (!isOffered) return
    // Failures are ignored, because the button still works.
    const cancel = whenIdle(() => void offer().catch(() => {}))
    return () => {
      cancel()
      cancelPasskeyAutofill().catch(() => {})
    }
  }, [isOffered])

  async function ask() {
    setAsking(true)
    try {
      await enter(await trackPending(requestPasskey()))
    } catch (error) {
      showError(passkeyMessage(error))
    } finally {
      setAsking(false)
    }
  }
  /** Lets browsers offer passkeys in the email field. */
  const autoComplete = isOffered ? 'username webauthn' : 'username'
  return { isAsking, ask: () => void ask(), autoComplete }
}

type Credential = Awaited<ReturnType<typeof requestPasskey>>

/** Repeats while the page is open: a passkey can be chosen after its challenge has expired. */
async function offer(): Promise<void> {
  const credential = await requestPasskey({ autofill: true })
  if (!(await enter(credential))) await offer()
}

async function enter(credential: Credential): Promise<boolean> {
  const outcome = await session.enter(api.call(logInWithPasskey, { body: { credential } }))
  if (!outcome.ok) {
    session.reset()
    showError(passkeyMessage(outcome.error))
    return false
  }
  rememberPasskey()
  clearVisitorState()
  return true
}
