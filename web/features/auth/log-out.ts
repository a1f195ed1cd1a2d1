import { session } from '../../platform/session/store.ts'
import { forgetUploads } from '../uploads/forget-uploads.ts'

/** Logs out, and deletes the files that this device kept for an upload. */
export async function logOut(): Promise<void> {
  const { user } = session.getState()
  await session.logout()
  if (user) await forgetUploads(user._id)
}
