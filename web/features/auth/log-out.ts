import { hasUnsavedInput } from '../../platform/layout/unsaved.ts'
import { session } from '../../platform/session/store.ts'

/** Deletes what this device keeps for the user's next upload. Without its script this happens after a week. */
export const forgetUploads = (userId: string): Promise<unknown> =>
  import('../uploads/kept-uploads.ts').then(({ deleteKept }) => deleteKept(userId)).catch(() => {})

let isAsking = false

/** Logs out, unless the user wants to keep unsaved input or the files that wait for an upload. */
export async function askAndLogOut(): Promise<void> {
  if (isAsking) return
  isAsking = true
  if (await mayLogOut()) await logOut()
  isAsking = false
}

async function mayLogOut(): Promise<boolean> {
  const keptCount = await countKeptUploads()
  if (keptCount === 0) return !hasUnsavedInput() || confirm('Log out? Unsaved input and selections will be lost.')
  const files = keptCount === 1 ? '1 file' : `${keptCount} files`
  return confirm(`Log out? ${files} waiting to be uploaded and other unsaved input will be lost.`)
}

/** A logout does not wait long for the script or for the storage. */
async function countKeptUploads(): Promise<number> {
  const { user } = session.getState()
  const counted = import('../uploads/kept-uploads.ts').then(({ countKept }) => countKept(user?._id ?? ''))
  const late = new Promise<number>((resolve) => setTimeout(resolve, 1000, 0))
  return await Promise.race([counted, late]).catch(() => 0)
}

/** Logs out, and deletes the files that this device kept for an upload. */
export async function logOut(): Promise<void> {
  const { user } = session.getState()
  await session.logout()
  if (user) await forgetUploads(user._id)
}
