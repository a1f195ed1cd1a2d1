import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Endpoint } from '../../../packages/contract/endpoint.ts'
import type { NotePage } from '../../../packages/contract/search.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { asViewer, createNote, createUser, openTestApp, password, type TestUser } from '../../testing/app.ts'
import { search, writePages } from '../../testing/search-fixtures.ts'
import { documentOf, untilProcessed } from '../../testing/stored-files.ts'
import { collectUserData } from '../accounts/exports/write-zip.ts'
import { countNews } from '../courses/course-digests.ts'
import { countLibrary } from '../search/suggestions.ts'
import { enqueueProcessing } from '../uploads/documents/enqueue-processing.ts'
import { setHidden } from './notes.ts'

const test = await openTestApp()
const { db } = test.deps
const [author, neighbour] = [await createUser(test, { name: 'Zoe Author' }), await createUser(test, { name: 'Neil' })]
const [reader, other] = [await createUser(test), await createUser(test)]
const hide = (noteId: string) =>
  inTransaction(db, (tx) => setHidden(tx, noteId, { rule: 'exam', reason: 'An exam that is still written.' }))
const restore = (noteId: string) => inTransaction(db, (tx) => setHidden(tx, noteId, null))
const details = { title: 'Zqxtitle of rings', courseCode: 'ZQX101', instructor: 'Zqxprof', academicYear: '2025–26' }
const make = (more: object = {}) => createNote(test, author, { ...details, ...more })

/** Processes all files as uploads do; otherwise there are no thumbnails. */
async function process(): Promise<void> {
  const documents = await db.selectFrom('documents').select('id').execute()
  const ids = documents.map(({ id }) => id)
  await inTransaction(db, (tx) => enqueueProcessing(test.deps.jobs, tx, ids))
  await untilProcessed(test)
}

type Answer = { statusCode: number; body: string }
const call = async (user: TestUser | null, method: string, url: string, payload?: object): Promise<Answer> => {
  const headers = { ...user?.auth }
  const request = { method: method as 'GET', url, headers, ...(payload && { payload }) }
  const { statusCode, body } = await test.app.inject(request)
  return { statusCode, body }
}
const get = (url: string, user: TestUser | null = reader) => call(user, 'GET', url)
async function getEach(url: string, queries: string[]): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const query of queries) answers.push(await get(`${url}${query}`))
  return answers
}

const listQueries = ['', 'sortBy=likes', 'title=zqxtitle', 'courseCode=ZQX', 'instructor=zqxprof&academicYear=2025-26']
const phrase = '%22zqxinside%20words%22'
const searches = ['zqxinside', phrase, 'zqxtitle&sortBy=createdAt', 'zqxprof&sortBy=likes', 'zqxtitel']

/** Every endpoint that takes or lists notes, by its name, called by a user who does not own the note. */
function asksAbout(noteId: string, thumbnail: string): Record<string, () => Promise<unknown>> {
  const note = `/api/notes/${noteId}`
  const own = `/api/users/me/notes/${noteId}`
  const edit = { courseCode: 'MAT1', academicYear: '2025–26', isAnonymous: false }
  return {
    getNote: () => get(note),
    getNotes: () => get(`/api/notes/by-id?ids=${noteId}`),
    viewNote: () => get(`${note}/view`),
    editNote: () => call(reader, 'PATCH', own, edit),
    changeNote: () => call(reader, 'PATCH', `${own}/details`, { courseCode: 'MAT1' }),
    deleteNote: () => call(reader, 'DELETE', own),
    getThumbnail: () =>
      Promise.all(['small', 'large'].map((size) => get(`/api/thumbnails/${thumbnail}/${size}.webp`, null))),
    changeRating: () => call(reader, 'PATCH', `${note}/rating`, { likes: '+' }),
    reportNote: async () => call(await createUser(test), 'POST', `${note}/reports`, { rule: 'exam' }),
    getReadingPosition: () => get(`${note}/reading`),
    saveReadingPosition: () => call(reader, 'PATCH', `${note}/reading`, { page: 1 }),
    dismissNoteInProgress: () => call(other, 'DELETE', `/api/users/me/reading/${noteId}`),
    listNotesInProgress: () => get('/api/users/me/reading'),
    getOcrText: () => get(`${note}/recognised-text?page=1`),
    listNotes: () => getEach('/api/notes?', listQueries),
    listMyNotes: () => get('/api/users/me/notes'),
    listLikedNotes: () => getEach('/api/users/me/notes/liked?', ['', 'sortBy=likes&title=zqxtitle']),
    countNotes: () => getEach('/api/notes/count?', ['title=zqxtitle', 'scope=liked', '']),
    searchNotes: () => getEach('/api/search?text=', searches),
    suggest: () => getEach('/api/suggestions?text=', ['zqx', 'zqxprof']),
    listRelatedNotes: () => get(`${note}/related`),
    getPerson: () => get(`/api/people/${author.id}`),
    listPersonNotes: () => get(`/api/people/${author.id}/notes`),
    listCourses: () => getEach('/api/courses?', ['text=zqx', '']),
    getCourse: async () => [await get('/api/courses/ZQX101'), await get('/api/courses/ZQX101', other)],
    listCourseNotes: () => getEach('/api/courses/ZQX101/notes?', ['', 'sortBy=likes&instructor=Zqxprof']),
    listFollowedCourses: () => get('/api/users/me/courses'),
    listNewNotes: () => get('/api/users/me/courses/notes'),
    updateRecentlyViewed: () => call(other, 'PATCH', '/api/users/me', { recentlyViewedNotes: [noteId] }),
    getMe: () => get('/api/users/me'),
    logIn: async () => {
      const { body } = await call(null, 'POST', '/api/users/login', { email: reader.email, password })
      return JSON.parse(body).user
    },
    submitCopyrightClaim: () => {
      const claim = { note, name: 'Ada', email: 'ada@press.example', text: 'Chapter 3 of my book.' }
      return call(null, 'POST', '/api/copyright', claim)
    },
    findSameFile: () => get(`/api/users/me/notes/same-file?sha256=${'ab'.repeat(32)}`),
  }
}
const untilTomorrow = { notifiedUntil: new Date(0), until: new Date(Date.now() + 86_400_000) }
/** Data about notes that no endpoint returns: the course digest, the user's export and the counts. */
const besides = {
  courseDigest: async () => [...(await countNews(db, asViewer(reader), untilTomorrow))],
  // Values that the requests themselves change are left out.
  export: async () => {
    const { devices: _, readingPositions, ...rest } = await collectUserData(db, asViewer(reader))
    return { ...rest, readingPositions: readingPositions.map(({ readAt: _, ...position }) => position) }
  },
  library: () => countLibrary(db),
}
/**
 * Endpoints that neither take, list nor count notes, and those of moderation, which show notes only to moderators and
 * owners (`server/features/moderation/moderation.test.ts`).
 */
const speakOfNone = [
  ...['about', 'accounts', 'system', 'settings', 'passkeys', 'two-factor', 'author-stats', 'moderation'],
  // For admins, who see hidden notes as moderators do (`server/features/moderation/suspensions/suspensions.test.ts`).
  ...['members', 'instance-settings', 'attention', 'uploadNotes', 'settleUpload'],
  ...['followCourse', 'unfollowCourse', 'setDigestFrequency', 'unsubscribeFromDigest'],
  ...['refreshSession', 'logOut', 'endSession'],
]

async function askAll(noteId: string, thumbnail: string): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const [name, ask] of Object.entries({ ...asksAbout(noteId, thumbnail), ...besides }))
    answers[name] = JSON.stringify(await ask())
  return answers
}

it('is asked about by every endpoint of the contract that takes or lists notes', async () => {
  const folder = new URL('../../../packages/contract/', import.meta.url)
  const asked = Object.keys(asksAbout(randomUUID(), 'none'))
  const missing: string[] = []
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.endpoints.ts'))) {
    const endpoints: Record<string, Endpoint> = await import(new URL(file, folder).href)
    if (speakOfNone.includes(file.replace('.endpoints.ts', ''))) continue
    missing.push(...Object.keys(endpoints).filter((name) => !asked.includes(name) && !speakOfNone.includes(name)))
  }
  expect(missing).toEqual([])
})

it('a hidden note appears as deleted, and reappears unchanged when it is restored', async () => {
  const neighbours = await createNote(test, neighbour, { title: 'Rings', courseCode: 'ZQX102' })
  const noteId = await make()
  await process()
  await writePages(test, noteId, ['zqxinside words', 'and rings'])
  await sql`UPDATE documents SET page_count = 2`.execute(db)
  const { id } = await documentOf(test, noteId)
  const ofNote = db.selectFrom('thumbnails').select('key').where('document_id', '=', id)
  const { key } = await ofNote.executeTakeFirstOrThrow()
  for (const user of [reader, other]) {
    await call(user, 'PATCH', `/api/notes/${noteId}/rating`, { likes: '+' })
    await call(user, 'PATCH', `/api/notes/${noteId}/reading`, { page: 1 })
  }
  await call(reader, 'PATCH', '/api/users/me', { recentlyViewedNotes: [noteId, neighbours] })
  await call(reader, 'POST', '/api/courses/ZQX101/follow')
  await sql`UPDATE course_follows SET followed_at = 'epoch'`.execute(db)
  const before = await askAll(noteId, key)
  await hide(noteId)
  const hidden = await askAll(noteId, key)
  await restore(noteId)
  const restored = await askAll(noteId, key)
  await call(author, 'DELETE', `/api/users/me/notes/${noteId}`)
  const deleted = await askAll(noteId, key)
  expect(restored).toEqual(before)
  expect(hidden).toEqual(deleted)
  const neverTell = ['listMyNotes', 'editNote', 'changeNote', 'deleteNote', 'findSameFile', 'submitCopyrightClaim']
  for (const name of Object.keys(before)) {
    if (neverTell.includes(name)) expect(hidden[name], name).toBe(before[name])
    else expect(hidden[name], name).not.toBe(before[name])
    for (const trace of [key, 'Zqxtitle', 'Zqxprof', 'zqxinside words', author.name])
      expect(hidden[name]?.split(trace), name).toHaveLength(1)
  }
})

it('stays visible to its owner, who sees the reason, reads it, edits it and deletes it', async () => {
  const noteId = await make({ isAnonymous: true })
  await process()
  await hide(noteId)
  const { notes }: NotePage = JSON.parse((await get('/api/users/me/notes', author)).body)
  expect(notes).toMatchObject([
    { _id: noteId, document: { thumbnail: null }, hidden: { rule: 'exam', reason: 'An exam that is still written.' } },
  ])
  expect(JSON.parse((await get('/api/notes/count?scope=mine', author)).body)).toMatchObject({ count: 1 })
  for (const url of [`/api/notes/${noteId}`, `/api/notes/${noteId}/view`, `/api/notes/${noteId}/reading`])
    expect((await get(url, author)).statusCode, url).toBe(200)
  const people = `/api/people/${author.id}/notes`
  for (const list of ['/api/notes', people, '/api/search?text=zqxtitle', '/api/suggestions?text=zqx'])
    expect((await get(list, author)).body, list).not.toContain('Zqxtitle')
  const edited = await call(author, 'PATCH', `/api/users/me/notes/${noteId}/details`, { instructor: 'Zqxother' })
  expect(JSON.parse(edited.body)).toMatchObject({ instructor: 'Zqxother', hidden: { rule: 'exam' } })
  expect((await get('/api/suggestions?text=zqxother')).body).not.toContain('Zqxother')
  expect((await call(author, 'DELETE', `/api/users/me/notes/${noteId}`)).statusCode).toBe(204)
  expect((await sql`SELECT FROM suggestions WHERE key LIKE '%zqx%' OR notes <= 0`.execute(db)).rows).toEqual([])
})

it('is reached by moderators, in no list, and without its author where it is anonymous', async () => {
  const moderator = await createUser(test, { role: 'moderator' })
  const noteId = await make({ isAnonymous: true })
  await hide(noteId)
  const note = await get(`/api/notes/${noteId}`, moderator)
  expect(JSON.parse(note.body)).toMatchObject({ user: null, hidden: { rule: 'exam' } })
  expect(note.body).not.toContain(author.id)
  expect((await get(`/api/notes/${noteId}/view`, moderator)).statusCode).toBe(200)
  expect((await get('/api/notes', moderator)).body).not.toContain(noteId)
})

it('is found by what was read of it while it was hidden, once it is restored', async () => {
  const noteId = await make()
  await hide(noteId)
  await writePages(test, noteId, ['quaternions zqxlater'])
  const find = async () => (await search(test, reader, { text: 'zqxlater' })).json().hits.length
  expect(await find()).toBe(0)
  await restore(noteId)
  expect(await find()).toBe(1)
})
