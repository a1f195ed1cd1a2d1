/**
 * A new deployment takes away the parts of the pages that an open tab was made of. Loading one of them then fails;
 * loading the page anew gets the new ones. Once only: where that does not help, the error is shown.
 */
const storageKey = 'lectern-reloaded-at'
const retryAfterMs = 10_000

let reloading = false

/** The page is about to be loaded anew: what waits for a part may go on waiting. */
export const isReloading = () => reloading

let preparing = 0

/** Loads a part that nobody has asked for yet: where it is missing, the page that is open stays. */
export async function prepareParts(load: () => Promise<void>): Promise<void> {
  preparing++
  // Whoever asks for it learns what failed.
  await load().catch(() => {})
  preparing--
}

/** @param pendingAddress where the student is going, if anywhere: that is where the new pages are opened. */
export function reloadOnMissingPart(pendingAddress: () => string | undefined): void {
  window.addEventListener('vite:preloadError', (event) => {
    const address = pendingAddress()
    if (preparing > 0 && address === undefined) return
    // Without a connection the new parts would be just as far away, and the page that is open would be lost.
    if (!navigator.onLine || !mayReload(sessionStorage, Date.now())) return
    event.preventDefault()
    reloading = true
    if (address === undefined) location.reload()
    else location.assign(address)
  })
}

/** Notes the moment, and is false where it comes too soon after the last. */
export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'>, nowMs: number): boolean {
  if (nowMs - Number(storage.getItem(storageKey) ?? 0) < retryAfterMs) return false
  storage.setItem(storageKey, String(nowMs))
  return true
}
