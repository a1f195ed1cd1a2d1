import { hasUnsavedInput } from '../../platform/layout/unsaved.ts'
import { session } from '../../platform/session/store.ts'

/** Deletes what this device keeps for the user's next upload. Without its script this happens after a week. */
export const forgetUploads = (userId: string): Promise<unknown> =>
  import('../uploads/kept-uploads.ts').then(({ deleteKept }) => deleteKept(userId)).catch(() => {})

/** Logs out, unless the user wants to keep unsaved input or the files that wait for an upload. */
export async function askAndLogOut(): Promise<void> {
  const { user } = session.getState()
  if (user === null) return
  // Without its script, only what this page itself has is known.
  const waiting = await import('../uploads/kept-uploads.ts').then(({ countKept }) => countKept(user._id)).catch(() => 0)
  const files = waiting === 1 ? '1 file' : `${waiting} files`
  const question =
    waiting > 0
      ? `Log out? ${files} waiting to be uploaded and other unsaved input will be lost.`
      : 'Log out? Unsaved input and selections will be lost.'
  if ((waiting === 0 && !hasUnsavedInput()) || confirm(question)) await logOut()
}

/** Logs out, and deletes the files that this device kept for an upload. */
export async function logOut(): Promise<void> {
  const { user } = session.getState()
  await session.logout()
  if (user) await forgetUploads(user._id)
}
