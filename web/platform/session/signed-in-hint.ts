import { session } from './store.ts'

/**
 * Whether somebody was signed in here when this browser last knew. Nothing secret and never trusted: it only spares a
 * visitor the wait for an answer that will be "nobody".
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
    // Only a logout that failed ends a session with a message.
    if (user !== null || message !== '') setLogoutOwed(user === null)
  })
}

/**
 * Whether the server has not heard of the last logout here. The cookie is then still worth a session, which must not
 * come back by itself.
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
    // Storage is switched off: nothing can be remembered.
  }
}

export function setHint(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(storageKey, 'yes')
    else localStorage.removeItem(storageKey)
  } catch {
    // Storage is switched off: everybody waits for the answer.
  }
}
