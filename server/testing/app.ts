import { createHash, randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { inject, it } from 'vitest'
import type { NoteEdit } from '../../packages/contract/notes.ts'
import type { Role } from '../../packages/contract/roles.ts'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import type { Deps } from '../dependencies.ts'
import { changeRole, createUser as createUserRow } from '../features/accounts/users/users.ts'
import type { PasswordCost } from '../features/auth/passwords/hasher.ts'
import { signAccessToken } from '../features/auth/sessions/access-token.ts'
import { insertSession } from '../features/auth/sessions/sessions.queries.ts'
import { insertNotes } from '../features/notes/notes.queries.ts'
import { openDeps } from '../operations/start/open-dependencies.ts'
import { inTransaction } from '../platform/db/transaction.ts'
import type { App } from '../platform/http/endpoints.ts'
import type { Mail } from '../platform/mail/mailer.ts'
import { checkStorageAtStart } from '../platform/storage/open-storage.ts'
import { newFileKey } from '../platform/storage/storage.ts'
import { makeDataFolder, onTestEnd, removeDataFolder } from './data-folder.ts'
import { createDatabase, databaseEnv, dropDatabase, filesEnv, templateName } from './database.ts'
import { quietLog } from './log.ts'
import { onePagePdf } from './pdf.ts'
import { putBytes } from './stored-files.ts'

type Env = Record<string, string>

type TestAppOptions = {
  /** For tests about passwords; the default is `cheapCost`. */
  passwordCost?: PasswordCost
}

/** The minimum that argon2id accepts. */
const cheapCost: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export type TestApp = {
  app: App
  deps: Deps
  databaseUrl: string
  /** The sent mails, oldest first. */
  mails: Mail[]
  /** Environment variables for another server with the same files. */
  whereFilesAre: Env
}

/**
 * Opens the real server with its own database and folder. Only mail delivery is replaced, unless `SMTP_URL` is
 * given. It closes after the test that opens it, or after the file's last test.
 */
export async function openTestApp(env: Env = {}, log = quietLog, options: TestAppOptions = {}): Promise<TestApp> {
  const name = `lectern_${randomBytes(6).toString('hex')}`
  const databaseUrl = await createDatabase(inject('postgresUrl'), name, templateName)
  onTestEnd(() => dropDatabase(inject('postgresUrl'), name))
  return openTestAppOn({ databaseUrl, mails: [], whereFilesAre: await filesEnv() }, env, log, options)
}

/** Opens another server on the database of a test app. Both add their mails to the same list. */
export async function openTestAppOn(
  { databaseUrl, mails, whereFilesAre = {} }: Pick<TestApp, 'databaseUrl' | 'mails'> & Partial<TestApp>,
  env: Env = {},
  log = quietLog,
  { passwordCost = cheapCost }: TestAppOptions = {},
): Promise<TestApp> {
  const [dataDir, pooler] = [await makeDataFolder(), databaseEnv(databaseUrl)]
  const usual = { RATE_LIMIT: 'off', OCR: 'off', DATABASE_POOL_SIZE: '5' }
  const config = readConfig({ DATA_DIR: dataDir, ...usual, ...pooler, ...whereFilesAre, ...env })
  const deps = await openDeps(
    { ...config, publicUrl: config.publicUrl ?? 'http://localhost:3000' },
    // The long wait lets a slow machine answer a thousand simultaneous requests.
    {
      databaseUrl: pooler.DATABASE_URL ?? databaseUrl,
      secret: 'a secret of the tests, long enough',
      log,
      waitMs: 100_000,
      passwordCost,
      // Tests run the jobs that they need with `drainJobs`.
      runWorkers: false,
    },
  )
  if (!config.smtpUrl) deps.mailer.send = async (mail) => void mails.push(mail)
  const app = await buildApp(deps, log)
  await deps.jobs.start()
  await checkStorageAtStart(deps.files, log)
  deps.lifecycle.serve()
  onTestEnd(async () => {
    await app.close()
    await deps.close()
    await removeDataFolder(dataDir)
  })
  return { app, deps, databaseUrl, mails, whereFilesAre: { DATA_DIR: dataDir, ...whereFilesAre } }
}

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

/** Creates a note with its stored file. @returns its id. */
export async function createNote({ deps }: TestApp, owner: TestUser, values: NoteValues = {}): Promise<string> {
  const { createdAt, likes, content = onePagePdf, ...given } = values
  const key = newFileKey()
  await putBytes(deps.files, key, content)
  const sha256 = createHash('sha256').update(content).digest()
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
        document: { fileKey: key, bytes: content.length, sha256, pageCount: 1, drawnPages: [] },
      },
    ])
    return inserted ?? ''
  })
  const fixed = { ...(createdAt && { created_at: createdAt }), ...(likes !== undefined && { likes }) }
  if (Object.keys(fixed).length > 0) await deps.db.updateTable('notes').set(fixed).where('id', '=', id).execute()
  return id
}

/** For functions that are called without a request. */
export const asViewer = ({ id }: TestUser) => ({ id, role: 'student' }) as const

/**
 * Returns an `it` whose tests name the users that they need: `async ({ user, other }) => …`. Each test gets its own
 * users, and only those that it names.
 */
export function itWithUsers(test: TestApp) {
  const create = () => createUser(test)
  return it
    .extend('user', create)
    .extend('other', create)
    .extend('owner', create)
    .extend('reader', create)
    .extend('ada', create)
    .extend('ben', create)
    .extend('mia', create)
    .extend('author', create)
    .extend('student', create)
    .extend('stranger', create)
}
