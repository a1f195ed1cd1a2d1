import { createStore, delMany, entries, set } from 'idb-keyval'
import { sessionReady } from '../../platform/session/load-session.ts'
import { session } from '../../platform/session/store.ts'
import { createSerialQueue, isUnsent, type KeptFields, randomId, uploadQueue } from './upload-queue.ts'

/** What this device keeps beside a file, until the file is sent, removed or a week old. */
type Kept = KeptFields & { userId: string; keptAt: number; tab: string }

const keptForMs = 7 * 24 * 60 * 60 * 1000
/** Names this tab among the tabs that keep files. */
const tab = randomId()
const fileKey = (id: string) => `file ${id}`
const fieldsKey = (id: string) => `fields ${id}`
const courseKey = (userId: string) => `course ${userId}`

const openStore = () => createStore('lectern-uploads', 'kept')
let opened: ReturnType<typeof openStore> | undefined
const store = () => {
  opened ??= openStore()
  return opened
}
const inTurn = createSerialQueue()
/** Runs in the order of the calls. A browser without space or storage keeps nothing, and the page works without it. */
const run = <T>(task: () => Promise<T>): Promise<T | null> => inTurn(task).catch(() => null)

/** The fields last written, by item. */
const written = new Map<string, KeptFields>()
/** When a restored file was first kept, by item. */
const keptSince = new Map<string, number>()

uploadQueue.subscribe(({ rows, details }) => {
  const { user } = session.getState()
  // When the user is signed out, the queue is cleared, but the files wait for the next login.
  if (user === null) return written.clear()
  // A user who is leaving could no longer delete what is kept after the deletion.
  if (user.leavesAt) return
  const unsent = rows.filter(isUnsent)
  const gone = [...written.keys()].filter((id) => !unsent.some((row) => row.id === id))
  for (const id of gone) written.delete(id)
  if (gone.length > 0) void run(() => deleteItems(gone))
  for (const { id, file, place, title, ownDetails } of unsent) {
    const last = written.get(id)
    if (last?.title === title && last.ownDetails === ownDetails && last.details === details && last.place === place)
      continue
    const fields = { place, title, ownDetails, details }
    written.set(id, fields)
    const kept: Kept = { ...fields, userId: user._id, keptAt: keptSince.get(id) ?? Date.now(), tab }
    void run(async () => {
      if (!last) await set(fileKey(id), file, store())
      await set(fieldsKey(id), kept, store())
    })
  }
})

const deleteItems = (ids: string[]) =>
  delMany(
    ids.flatMap((id) => [fileKey(id), fieldsKey(id)]),
    store(),
  )

/**
 * Puts the kept files of the user back into the queue, except those of other open tabs.
 * @returns the course of the user's last upload on this device, or null.
 */
export async function restoreUploads(): Promise<string | null> {
  await sessionReady()
  const { user } = session.getState()
  if (user === null) return null
  const restore = async () => {
    const kept = new Map((await run(() => entries<string, unknown>(store()))) ?? [])
    const openTabs = new Set((await navigator.locks?.query())?.held?.map(({ name }) => name))
    const expired: string[] = []
    for (const [key, value] of kept) {
      const id = key.replace('fields ', '')
      if (id === key) continue
      const { userId, keptAt, tab: owner, ...fields } = value as Kept
      const file = kept.get(fileKey(id))
      if (keptAt < Date.now() - keptForMs || !(file instanceof File)) expired.push(id)
      // Those of this tab are in the queue, unless the user was signed out meanwhile.
      else if (userId === user._id && (owner === tab ? !uploadQueue.find(id) : !openTabs.has(owner))) {
        keptSince.set(id, keptAt)
        uploadQueue.restore(id, file, fields)
      }
    }
    // Also waits until the restored files belong to this tab.
    await run(() => deleteItems(expired))
    const course = kept.get(courseKey(user._id))
    return typeof course === 'string' ? course : null
  }
  // Without https there are no locks, and a second tab shows the files of the first as well.
  if (!navigator.locks) return restore()
  return await navigator.locks.request('lectern-uploads', restore)
}

export const keepCourse = (courseCode: string): void => {
  const { user } = session.getState()
  if (user) void run(() => set(courseKey(user._id), courseCode, store()))
}

/** Returns the ids of the user's items in all tabs. */
async function findKeptIds(userId: string, keptAfter = 0): Promise<string[]> {
  return (await entries<string, unknown>(store())).flatMap(([key, value]) => {
    const { userId: owner, keptAt } = value as Kept
    return key.startsWith('fields ') && owner === userId && keptAt >= keptAfter ? [key.replace('fields ', '')] : []
  })
}

export const countKept = async (userId: string): Promise<number> =>
  (await run(() => findKeptIds(userId, Date.now() - keptForMs)))?.length ?? 0

export const deleteKept = (userId: string) =>
  run(async () => {
    await deleteItems(await findKeptIds(userId))
    await delMany([courseKey(userId)], store())
  })

// Held until the tab is closed.
void navigator.locks?.request(tab, () => new Promise(() => {}))
