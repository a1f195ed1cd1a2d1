import { createReadStream, createWriteStream } from 'node:fs'
import { glob } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { version } from '../../platform/db/version.ts'
import { createUser, openTestApp, openTestAppOn, type TestApp } from '../../testing/app.ts'
import { makeTestFolder } from '../../testing/data-folder.ts'
import { drainJobs } from '../../testing/drain-jobs.ts'
import { uploadNote } from '../../testing/form.ts'
import { quietLog } from '../../testing/log.ts'
import { createPdfWithText } from '../../testing/pdf-kinds.ts'
import { openRestoreTarget } from '../../testing/restore-target.ts'
import { accessOf, logIn, patch, post, rate } from '../../testing/students.ts'
import { restoreArchive } from './restore-archive.ts'
import { writeArchive } from './write-archive.ts'

/** Contains a backup by each release, named `VERSION.tar`. */
const releases = join(import.meta.dirname, '../../testing/releases')
/** Set to add the backup of this version. */
const { KEEP_BACKUP } = process.env
const quiet = { signal: new AbortController().signal, onProgress: () => {} }
const emailOf = (name: string) => `${name.toLowerCase()}@uni.example`
const named = createPdfWithText('Eigenvalues of matrices')
const anonymous = createPdfWithText('Deadlocks and semaphores')
const exam = createPdfWithText('The exam of this year')

/** Uses every feature whose data a student or a moderator would miss. */
async function fill(test: TestApp): Promise<void> {
  const ada = await createUser(test, { name: 'Ada', email: emailOf('Ada') })
  const grace = await createUser(test, { name: 'Grace', email: emailOf('Grace') })
  const moderator = await createUser(test, { name: 'Barbara', email: emailOf('Barbara'), role: 'admin' })
  const { _id: algebra } = await uploadNote(test, ada, named, { fileName: 'Algebra.pdf' })
  const { _id: threads } = await uploadNote(test, ada, anonymous, { fileName: 'Threads.pdf', isAnonymous: true })
  const { _id: hidden } = await uploadNote(test, ada, exam, { fileName: 'Exam.pdf' })
  await drainJobs(test)
  const { auth } = grace
  const hiding = { kind: 'hide', rule: 'exam', reason: 'So it is.' }
  const answers = [
    await rate(test, grace, algebra, { likes: '+' }),
    await rate(test, grace, threads, { dislikes: '+' }),
    await patch(test, '/api/users/me', { recentlyViewedNotes: [algebra, threads] }, auth),
    await patch(test, `/api/notes/${algebra}/reading`, { page: 1 }, auth),
    await post(test, '/api/courses/MAT137/follow', undefined, auth),
    await post(test, `/api/notes/${hidden}/reports`, { rule: 'exam', text: 'It is still written.' }, auth),
    await post(test, `/api/moderation/notes/${hidden}/decisions`, hiding, moderator.auth),
    await patch(test, '/api/admin/settings', { dailyUploadMb: 100 }, moderator.auth),
  ]
  expect(answers.filter(({ statusCode }) => statusCode >= 300).map(({ body }) => body)).toEqual([])
  await drainJobs(test)
}

async function makeBackup(path: string): Promise<void> {
  const test = await openTestApp()
  await fill(test)
  const { databaseUrl, deps } = test
  const { db, files } = deps
  await writeArchive(createWriteStream(path), { databaseUrl, db, files, log: quietLog, ...quiet })
}

async function restore(path: string): Promise<TestApp> {
  const { dataDir, databaseUrl, files, spool } = await openRestoreTarget()
  const options = { databaseUrl, files, kept: null, spool, replace: false, ...quiet }
  expect(await restoreArchive(createReadStream(path), options)).toMatchObject({ missing: [], damaged: [] })
  return openTestAppOn({ databaseUrl, mails: [] }, { DATA_DIR: dataDir })
}

async function expectAll(test: TestApp): Promise<void> {
  await drainJobs(test)
  const signIn = async (name: string) => {
    const headers = accessOf(await logIn(test, emailOf(name)))
    return (url: string) => test.app.inject({ url, headers })
  }
  const [ada, grace, barbara] = [await signIn('Ada'), await signIn('Grace'), await signIn('Barbara')]
  const titles = (notes: { title: string }[]) => notes.map(({ title }) => title).sort()

  expect(titles((await ada('/api/users/me/notes')).json().notes)).toEqual(['Algebra', 'Exam', 'Threads'])
  const { notes } = (await grace('/api/notes')).json()
  expect(titles(notes)).toEqual(['Algebra', 'Threads'])
  const [algebra, threads] = ['Algebra', 'Threads'].map((wanted) =>
    notes.find(({ title }: { title: string }) => title === wanted),
  )
  expect(algebra).toMatchObject({ courseCode: 'MAT137', academicYear: '2025–26', user: { name: 'Ada' }, likes: 1 })
  expect(threads).toMatchObject({ isAnonymous: true, dislikes: 1 })
  expect(JSON.stringify(threads)).not.toContain('Ada')
  expect((await grace(`/api/notes/${algebra._id}/view`)).rawPayload).toEqual(named)
  expect((await grace(`/api/thumbnails/${algebra.document.thumbnail}/small.webp`)).statusCode).toBe(200)
  for (const text of ['eigenvalue', 'semaphore']) {
    const { hits } = (await grace(`/api/search?text=${text}`)).json()
    expect(hits, text).toHaveLength(1)
  }
  const profile = (await grace('/api/users/me')).json().user
  expect(titles(profile.recentlyViewedNotes)).toEqual(['Algebra', 'Threads'])
  expect(titles((await grace('/api/users/me/notes/liked')).json().notes)).toEqual(['Algebra'])
  expect((await grace('/api/users/me/courses')).json().courses).toMatchObject([
    { courseCode: 'MAT137', isFollowed: true },
  ])
  expect((await grace('/api/decisions')).json().decisions).toMatchObject([{ kind: 'hide', reason: 'So it is.' }])
  expect((await barbara('/api/admin/settings')).json()).toMatchObject({ dailyUploadMb: 100, version })
  expect((await barbara('/api/admin/audit')).json().entries.length).toBeGreaterThan(1)
}

const backups = (await Array.fromAsync(glob('*.tar', { cwd: releases }))).map((name) => basename(name, '.tar')).sort()

it.each([...backups, 'this version'])('a backup by %s is restored with everything in it', async (release) => {
  const isOwn = release === 'this version'
  const path =
    isOwn && !KEEP_BACKUP
      ? join(await makeTestFolder(), 'backup.tar')
      : join(releases, `${isOwn ? version : release}.tar`)
  if (isOwn) await makeBackup(path)
  await expectAll(await restore(path))
})
