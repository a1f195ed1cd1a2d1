import type { User } from '../../contract/sessions.ts'
import { api } from '../api/client.ts'
import { session } from './store.ts'

let started: Promise<void> | null = null

/**
 * Resolves once it is known whether somebody is signed in. The first call asks the server, silently: whatever goes
 * wrong, the visitor is simply signed out (SPEC.md section 2, "On app start").
 */
export function sessionReady(): Promise<void> {
  started ??= findCurrentUser()
  return started
}

/** Takes over who the server says is signed in; leaves the session alone where it does not say. */
export async function findCurrentUser(): Promise<void> {
  try {
    // Nothing is in memory after a reload: the refresh cookie alone knows the session.
    if (!api.hasAccessToken()) await api.refresh()
    const { user } = await api.get<{ user: User }>('/api/users/me', { skipSessionExpiry: true })
    session.setUser(user)
  } catch {
    // Nobody is signed in, or the server cannot say so now.
  }
}
