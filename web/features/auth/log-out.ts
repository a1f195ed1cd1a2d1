import { session } from '../../platform/session/store.ts'

/** Deletes what this device keeps for the user's next upload. Without its script this happens after a week. */
export const forgetUploads = (userId: string): Promise<unknown> =>
  import('../uploads/kept-uploads.ts').then(({ deleteKept }) => deleteKept(userId)).catch(() => {})

/** Logs out, and deletes the files that this device kept for an upload. */
export async function logOut(): Promise<void> {
  const { user } = session.getState()
  await session.logout()
  if (user) await forgetUploads(user._id)
}
