import { api } from '../api/client.ts'
import { findCurrentUser } from './start.ts'
import { session } from './store.ts'

/** Who is signed in, as one tab tells the others. Nothing secret: each tab asks the server itself. */
type Notice = { userId: string | null }

/** Login and logout in one tab of this browser happen in all of them, as they share the refresh cookie. */
export function followOtherTabs(): void {
  const channel = new BroadcastChannel('lectern-session')
  let following = false

  session.subscribe((now, before) => {
    const userId = now.user?._id ?? null
    if (following || userId === (before.user?._id ?? null)) return
    channel.postMessage({ userId } satisfies Notice)
  })

  channel.onmessage = async ({ data }: MessageEvent<Notice>) => {
    if (data.userId === (session.getState().user?._id ?? null)) return
    following = true
    try {
      api.setAccessToken(null)
      if (data.userId !== null) await findCurrentUser().catch(() => {})
      // Somebody else's page must not stay, even where the server could not say who is signed in now.
      if (session.getState().user?._id !== data.userId) session.clearUser()
    } finally {
      following = false
    }
  }
}
