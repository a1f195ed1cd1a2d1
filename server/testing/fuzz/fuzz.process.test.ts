import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createNote, createUser, openTestApp, password, type TestUser } from '../app.ts'
import { canary } from '../canary.ts'
import { createSuspendedUser } from '../students.ts'
import { findEndpoints, type Known } from './endpoints.ts'
import { judge } from './judge.ts'
import { addresses, type Request, requestsOf, type World } from './requests.ts'

/** CI sets a time and a seed; otherwise the same number of identical requests is sent each time. */
const seconds = Number(process.env.FUZZ_SECONDS ?? 0)
const seed = Number(process.env.FUZZ_SEED ?? 1)
const casesEach = 16
const test = await openTestApp()
const endpoints = await findEndpoints()
const settings = { seed, ...(seconds > 0 ? timed((seconds * 1000) / (endpoints.length + 1)) : { numRuns: casesEach }) }

function timed(ms: number) {
  return { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: ms, markInterruptAsFailure: false }
}

/** Shares anonymously, so no response to other users may identify this user. */
const hidden = await createUser(test, canary)
const hiddenNote = await createNote(test, hidden, { isAnonymous: true, title: 'Standing waves', instructor: 'Dr Wren' })
const password_hash = await test.deps.passwords.hash('Known to nobody 1!')
await test.deps.db.updateTable('passwords').set({ password_hash }).where('user_id', '=', hidden.id).execute()
let student: TestUser
/** A user with the restricted session of a suspension. */
let suspended: TestUser
let world: World
const counts = new Map<number, number>()

async function enter(): Promise<void> {
  student = await createUser(test, { name: 'Ben Ito' })
  const ownNote = await createNote(test, student, { title: 'Tides', courseCode: 'PHY 101' })
  const texts = {
    any: ['waves', 'tides', ''],
    email: [student.email, hidden.email, 'nobody@uni.example'],
    password: [password, 'Another desk 43!'],
    confirmPassword: [password, 'Another desk 43!'],
    currentPassword: [password],
    name: ['Ben Ito', 'Ça Va'],
    title: ['Tides', 'waves "standing waves"'],
    text: ['waves', 'PHY 101', '"standing waves" C++'],
    courseCode: ['PHY101', 'mat 137'],
    code: ['PHY101', 'MAT137', 'NONE'],
    academicYear: ['2025–26', '2025-26'],
    instructor: ['Dr Wren', ''],
    token: ['x'.repeat(43)],
    sha256: ['0'.repeat(64)],
    ids: [`${hiddenNote},${ownNote}`],
    page: ['1', '2'],
    key: ['0'.repeat(32)],
    cursorId: [ownNote, hiddenNote],
    cursorValue: ['2026-01-01T00:00:00.000Z', '0', '3'],
    isAnonymous: ['true', 'false'],
    note: [`/notes/${hiddenNote}`],
  }
  suspended = await createSuspendedUser(test, { name: 'Cleo Ito' })
  world = { ids: [ownNote, hiddenNote, student.id, hidden.id, student.sessionId], texts }
}
beforeAll(enter)

function send({ options, sender }: Request) {
  const auth = {
    student: student.auth,
    suspended: suspended.auth,
    visitor: {},
    stranger: { authorization: 'Bearer a.b.c' },
  }[sender]
  return test.app.inject({ ...options, headers: { ...options.headers, ...auth } })
}

async function check(known: Known | null, request: Request): Promise<void> {
  const answer = await send(request)
  counts.set(answer.statusCode, (counts.get(answer.statusCode) ?? 0) + 1)
  expect(await judge(known, answer, hidden)).toEqual([])
}

const heldOf = async () => ({
  user: await test.deps.db.selectFrom('users').selectAll().where('id', '=', hidden.id).executeTakeFirst(),
  password: await test.deps.db.selectFrom('passwords').selectAll().where('user_id', '=', hidden.id).execute(),
  sessions: await test.deps.db.selectFrom('sessions').selectAll().where('user_id', '=', hidden.id).execute(),
  note: await test.deps.db
    .selectFrom('notes')
    .select(['title', 'course_code', 'instructor', 'is_anonymous', 'user_id', 'document_id'])
    .where('id', '=', hiddenNote)
    .executeTakeFirst(),
})
const held = await heldOf()

describe('every call answers hostile input according to the contract', () => {
  it.each(endpoints)('$name', { timeout: 120_000 + seconds * 1000 }, async (known) => {
    // A user who was deleted, logged out or changed the password is replaced.
    for (const sender of ['student', 'suspended'] as const) {
      const alive = await send({ options: { method: 'GET', url: '/api/users/me', headers: {} }, sender })
      if (alive.statusCode !== 200) await enter()
    }
    await fc.assert(
      fc.asyncProperty(requestsOf(known, world), (request) => check(known, request)),
      settings,
    )
  })
})

it('addresses of any kind are answered, or there is nothing at them', {
  timeout: 120_000 + seconds * 1000,
}, async () => {
  const property = fc.asyncProperty(addresses, fc.constantFrom('GET', 'POST', 'PUT', 'HEAD'), async (url, method) => {
    const options = { method: method as 'GET', url, headers: { accept: 'text/html' } }
    await check(null, { options, sender: 'student' })
  })
  await fc.assert(property, { ...settings, ...(seconds === 0 && { numRuns: 100 }) })
})

it('and changes nothing of anybody else', async () => {
  expect(await heldOf()).toEqual(held)
  expect((await test.app.inject({ url: `/api/notes/${hiddenNote}/view`, headers: hidden.auth })).statusCode).toBe(200)
})

afterAll(() => {
  const summary = [...counts].sort(([one], [other]) => one - other).map(([status, count]) => `${count} × ${status}`)
  const sum = [...counts.values()].reduce((total, count) => total + count, 0)
  if (seconds > 0)
    process.stdout.write(`\nSeed ${seed}: ${sum} requests to ${endpoints.length} endpoints, ${summary.join(', ')}\n`)
})
