import { useEffect, useState } from 'react'
import { logInByPasskey } from '../../contract/passkeys.endpoints.ts'
import { trackActivity } from '../api/activity.ts'
import { api } from '../api/client.ts'
import { session } from '../session/store.ts'
import { showError } from '../ui/toast.ts'
import { whenIdle } from '../ui/when-idle.ts'
import { forgetNext } from './kept-next.ts'
import { askForPasskey, mayHavePasskey, passkeyMessage, rememberPasskey, stopOffering } from './passkeys.ts'

/** Logs in with a passkey, by a button and, where one was used before, from what the browser offers for the email. */
export function usePasskeyLogin() {
  const [isAsking, setAsking] = useState(false)

  useEffect(() => {
    if (!mayHavePasskey()) return
    const cancel = whenIdle(() => {
      // Offered in vain: the button is there.
      askForPasskey({ autofill: true }).then(enter, () => {})
    })
    return () => {
      cancel()
      stopOffering().catch(() => {})
    }
  }, [])

  async function ask() {
    setAsking(true)
    try {
      await enter(await trackActivity(askForPasskey()))
    } catch (error) {
      showError(passkeyMessage(error))
    } finally {
      setAsking(false)
    }
  }
  return { isAsking, ask: () => void ask() }
}

type Credential = Awaited<ReturnType<typeof askForPasskey>>

async function enter(credential: Credential): Promise<void> {
  const outcome = await session.enter(api.call(logInByPasskey, { body: { credential } }))
  if (!outcome.ok) {
    session.reset()
    return showError(passkeyMessage(outcome.error))
  }
  rememberPasskey()
  forgetNext()
}
