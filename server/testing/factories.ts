import { createHash, randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import type { NoteEdit } from '../../packages/contract/notes.ts'
import type { Role } from '../../packages/contract/roles.ts'
import { changeRole, createUser as createUserRow } from '../features/accounts/users/users.ts'
import { signAccessToken } from '../features/auth/sessions/access-token.ts'
import { insertSession } from '../features/auth/sessions/sessions.queries.ts'
import { insertNotes } from '../features/notes/notes.queries.ts'
import { inTransaction } from '../platform/db/transaction.ts'
import { newFileKey } from '../platform/storage/storage.ts'
import type { TestApp } from './app.ts'
import { onePagePdf } from './pdf.ts'
import { putBytes } from './stored-files.ts'

/** The password of every user that `createUser` creates. */
export const password = 'Marigold desk 42!'
const passwordHash = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })

export type TestUser = {
  id: string
  name: string
  email: string
  sessionId: string
  /** The headers that authenticate a request. */
  auth: { authorization: string }
}

/** The lists of a user who has liked and viewed nothing. */
export const noLists = { likedNotes: [], dislikedNotes: [], likedNotesDisplay: [], recentlyViewedNotes: [] }

type Given = { name?: string; email?: string; role?: Role }

/** Creates a verified user with a valid session. */
export async function createUser({ deps }: TestApp, { role = 'student', ...given }: Given = {}): Promise<TestUser> {
  const name = given.name ?? 'Ada Okafor'
  const email = given.email ?? `ada.${randomBytes(5).toString('hex')}@uni.example`
  const { id, sessionId } = await inTransaction(deps.db, async (tx) => {
    const id = await createUserRow(tx, { name, email, passwordHash })
    if (id === null) throw new Error(`${email} has a user already`)
    if (role !== 'student') await changeRole(tx, id, role)
    return { id, sessionId: await insertSession(tx, id, 3600) }
  })
  const accessToken = signAccessToken(deps.secret, { sessionId, rotation: 0 })
  return { id, name, email, sessionId, auth: { authorization: `Bearer ${accessToken}` } }
}

export type NoteValues = Partial<NoteEdit> & {
  createdAt?: string
  likes?: number
  /** The content of the file; the default is a PDF of one page. */
  content?: Uint8Array
}

/**
 * Creates a note with its stored file.
 * @returns its id.
 */
export async function createNote(
  { deps }: TestApp,
  owner: TestUser,
  { createdAt, likes, content = onePagePdf, ...given }: NoteValues = {},
): Promise<string> {
  const key = newFileKey()
  await putBytes(deps.files, key, content)
  const id = await inTransaction(deps.db, async (tx) => {
    const [inserted] = await insertNotes(tx, [
      {
        userId: owner.id,
        title: 'Linear Algebra, week 1',
        courseCode: 'MAT137',
        academicYear: '2025–26',
        isAnonymous: false,
        ...given,
        sourceSha256: null,
        document: {
          fileKey: key,
          bytes: content.length,
          sha256: createHash('sha256').update(content).digest(),
          pageCount: 1,
          drawnPages: [],
        },
      },
    ])
    return inserted ?? ''
  })
  const fixed = {
    ...(createdAt && { created_at: createdAt }),
    ...(likes !== undefined && { likes }),
  }
  if (Object.keys(fixed).length > 0) await deps.db.updateTable('notes').set(fixed).where('id', '=', id).execute()
  return id
}

/** For functions that are called without a request. */
export const asViewer = ({ id }: TestUser) => ({ id, role: 'student' }) as const
