import * as paths from '../../platform/paths.ts'

/**
 * Where a visitor goes on after a login that a mail comes before. Its link opens in a tab that knows nothing of it and
 * carries nothing but its token, so this browser remembers, no longer than a verification link lives.
 */
const storageKey = 'lectern-next'
const keptMs = 24 * 60 * 60_000

export function saveReturnTo(next: string): void {
  try {
    if (next === paths.home()) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, JSON.stringify({ next, until: Date.now() + keptMs }))
  } catch {
    // Storage is switched off: the login leads home.
  }
}

/** What is remembered; else the home page. */
export function getReturnTo(): string {
  try {
    const { next, until } = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    return until > Date.now() ? paths.safeNext(next, location.origin) : paths.home()
  } catch {
    return paths.home()
  }
}

/** The next student of this browser has nothing to do with it. */
export const clearReturnTo = (): void => saveReturnTo(paths.home())
