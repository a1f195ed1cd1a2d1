import { api } from '../api/client.ts'
import { fetchCurrentUser } from './load-session.ts'
import { getSessionIdentity, session } from './store.ts'

/** The signed-in user, sent to other tabs. Not secret: each tab asks the server itself. */
type Notice = { who: string | null }

/** Applies a login or logout to all tabs of this browser, because they share the refresh cookie. */
export function syncTabs(): void {
  const channel = new BroadcastChannel('lectern-session')
  let following = false

  session.subscribe((now, before) => {
    const who = getSessionIdentity(now)
    if (following || who === getSessionIdentity(before)) return
    channel.postMessage({ who } satisfies Notice)
  })

  channel.onmessage = async ({ data }: MessageEvent<Notice>) => {
    if (data.who === getSessionIdentity(session.getState())) return
    following = true
    try {
      api.setAccessToken(null)
      if (data.who !== null) await fetchCurrentUser().catch(() => {})
      // Another user's page must not stay, even if the server cannot be reached.
      if (getSessionIdentity(session.getState()) !== data.who) session.clearUser()
    } finally {
      following = false
    }
  }
}
