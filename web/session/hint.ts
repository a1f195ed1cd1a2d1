import { session } from './store.ts'

/**
 * Whether somebody was signed in here when this browser last knew. Nothing secret and never trusted: it only spares a
 * visitor the wait for an answer that will be "nobody".
 */
const storageKey = 'lectern-signed-in'

export function mayBeSignedIn(): boolean {
  try {
    return session.getState().user !== null || localStorage.getItem(storageKey) !== null
  } catch {
    return true
  }
}

export function keepSignedInHint(): void {
  session.subscribe(({ user }, before) => {
    if ((user === null) !== (before.user === null)) setHint(user !== null)
  })
}

export function setHint(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(storageKey, 'yes')
    else localStorage.removeItem(storageKey)
  } catch {
    // Storage is switched off: everybody waits for the answer.
  }
}
