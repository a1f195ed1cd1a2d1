import { readStored, store } from '../storage.ts'
import { session } from './store.ts'

/**
 * Whether a user was last known to be signed in here. Not secret and never trusted: it only saves visitors the wait for
 * a 401.
 */
const storageKey = 'lectern-signed-in'

/** True without storage, so that all pages wait for the response. */
export const wasSignedIn = (): boolean => session.getState().user !== null || readStored(storageKey) !== null

export function keepSignedInHint(): void {
  session.subscribe(({ user, message }, before) => {
    if ((user === null) === (before.user === null)) return
    setHint(user !== null)
    // Only a failed logout ends a session with a message.
    if (user !== null || message !== '') setLogoutOwed(user === null)
  })
}

/**
 * Whether the last logout did not reach the server. The cookie is then still valid, but must not restore the session.
 */
const owedKey = 'lectern-logout-owed'

export const isLogoutPending = (): boolean => readStored(owedKey) === 'yes'
export const setLogoutOwed = (owed: boolean): void => store(owedKey, owed ? 'yes' : null)

export const setHint = (signedIn: boolean): void => store(storageKey, signedIn ? 'yes' : null)
