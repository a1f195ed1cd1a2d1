import { useEffect, useState } from 'react'
import { logInWithPasskey } from '../../../packages/contract/passkeys.endpoints.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { api } from '../../platform/api/client.ts'
import { session } from '../../platform/session/store.ts'
import { showError } from '../../platform/ui/toast.ts'
import { whenIdle } from '../../platform/ui/when-idle.ts'
import { cancelPasskeyAutofill, hasUsedPasskey, passkeyMessage, rememberPasskey, requestPasskey } from './passkeys.ts'
import { clearReturnTo } from './return-to.ts'

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
  clearReturnTo()
  return true
}
