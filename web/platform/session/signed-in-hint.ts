import { session } from './store.ts'

/**
 * Whether a user was last known to be signed in here. Not secret and never trusted: it only saves visitors the wait for
 * a 401.
 */
const storageKey = 'lectern-signed-in'

export function wasSignedIn(): boolean {
  try {
    return session.getState().user !== null || localStorage.getItem(storageKey) !== null
  } catch {
    return true
  }
}

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

export function isLogoutPending(): boolean {
  try {
    return localStorage.getItem(owedKey) !== null
  } catch {
    return false
  }
}

export function setLogoutOwed(owed: boolean): void {
  try {
    if (owed) localStorage.setItem(owedKey, 'yes')
    else localStorage.removeItem(owedKey)
  } catch {
    // Storage is disabled: the logout cannot be remembered.
  }
}

export function setHint(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(storageKey, 'yes')
    else localStorage.removeItem(storageKey)
  } catch {
    // Storage is disabled: all pages wait for the response.
  }
}
