import { api } from '../api/client.ts'
import { fetchCurrentUser } from './load-session.ts'
import { getSessionIdentity, session } from './store.ts'

/** Who is signed in, as one tab tells the others. Nothing secret: each tab asks the server itself. */
type Notice = { who: string | null }

/** Login and logout in one tab of this browser happen in all of them, as they share the refresh cookie. */
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
      // Somebody else's page must not stay, even where the server could not say who is signed in now.
      if (getSessionIdentity(session.getState()) !== data.who) session.clearUser()
    } finally {
      following = false
    }
  }
}
