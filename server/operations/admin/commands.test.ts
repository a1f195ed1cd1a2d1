import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createNote, createUser, itWithUsers, openTestApp } from '../../testing/app.ts'
import { makeTestFolder } from '../../testing/data-folder.ts'
import { recordOutput } from '../../testing/log.ts'
import { waitForMail } from '../../testing/mails.ts'
import { runAdmin, startAdmin } from '../../testing/server-process.ts'
import { startTcpServer } from '../../testing/smtp-server.ts'
import { get, logIn } from '../../testing/students.ts'
import { UsageError } from './command-line.ts'
import { importCourses, readCourseList } from './import-courses.ts'
import { announce, printInvitation, redactReason, reprocess, setQuota, setRegistration } from './instance-settings.ts'
import { suspend, unsuspend } from './members.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const { deps } = test
const where = { ...test.whereFilesAre, DATABASE_URL: test.databaseUrl, SECRET: deps.secret }
const { said, out } = recordOutput()
const policy = async () => (await test.app.inject('/api/registration')).json()
const entries = async () =>
  (await deps.db.selectFrom('audit_entries').select(['actor_id', 'action', 'details']).orderBy('number').execute()).map(
    ({ actor_id, action, details }) => ({ actor_id, action, ...(details as object) }),
  )

it('lectern admin sets the registration policy, and creates an invitation', async () => {
  expect(await setRegistration(deps, 'domains', ['uni.example'], out)).toBe(true)
  expect(await policy()).toEqual({ mode: 'domains', domains: ['uni.example'] })
  for (const [mode, ...bad] of [['domains'], ['closed'], ['domains', 'x'], ['open', 'uni.example']] as const)
    await expect(setRegistration(deps, mode, bad, out)).rejects.toThrow(UsageError)
  await expect(setRegistration(deps, 'open', ['uni.example'], out)).rejects.toThrow(
    'open takes no domains. Did you mean: registration domains uni.example',
  )
  expect(await policy()).toMatchObject({ mode: 'domains' })
  await printInvitation(deps, out)
  expect(said.join('')).toMatch(/http:\/\/localhost:3000\/register\?invitation=[\w-]{43}\n/)
  expect(await entries()).toMatchObject([
    { actor_id: null, action: 'settings', mode: 'domains', domains: 'uni.example' },
    { actor_id: null, action: 'invitation', kind: 'invite', by: 'link' },
  ])
})

it('lectern admin publishes an announcement, and removes it', async ({ user }) => {
  const getAnnouncement = async () => (await get(test, '/api/users/me', user.auth)).json().user.announcement?.text
  expect(await announce(deps, 'Closed on Monday.', '2', out)).toBe(true)
  expect(await getAnnouncement()).toBe('Closed on Monday.')
  expect(await announce(deps, 'off', undefined, out)).toBe(true)
  expect(await getAnnouncement()).toBeUndefined()
})

it('lectern admin reports the expected values for invalid input', async () => {
  const days = new UsageError('--days must be a whole number from 1 to 365.')
  for (const typed of ['soon', '0', '400', '1.5'])
    await expect(announce(deps, 'Hello', typed, out)).rejects.toEqual(days)
  const off = 'To remove the announcement, use: announce off.'
  for (const typed of ['OFF', 'off ']) await expect(announce(deps, typed, undefined, out)).rejects.toThrow(off)
  const max = deps.config.maxUploadMbPerDay
  const mb = new UsageError(`MB must be a whole number from 1 to ${max} (MAX_UPLOAD_MB_PER_DAY), or default.`)
  for (const typed of ['much', '0', '2.5', `${max + 1}`]) {
    await expect(setQuota(deps, 'all', typed, out)).rejects.toEqual(mb)
    const { email } = await createUser(test)
    await expect(setQuota(deps, email, typed, out)).rejects.toEqual(mb)
  }
  await expect(setRegistration(deps, 'closed', [], out)).rejects.toThrow(
    'registration must be open, invited or domains.',
  )
})

it('lectern admin sets the upload limit of one user and of all', async ({ user }) => {
  expect(await setQuota(deps, 'all', '50', out)).toBe(true)
  expect(await setQuota(deps, user.email, '20', out)).toBe(true)
  const quotas = () => deps.db.selectFrom('upload_quotas').select(['user_id', 'daily_mb']).execute()
  expect(await quotas()).toEqual([{ user_id: user.id, daily_mb: 20 }])
  expect(await setQuota(deps, 'nobody@uni.example', '3', out)).toBe(false)
  expect(await setQuota(deps, user.email, 'default', out)).toBe(true)
  expect(await quotas()).toEqual([])
})

it('lectern admin is a command beside a running server, which mails what was done', async ({ user }) => {
  const args = ['suspend', user.email, '--reason', 'Sold exams.', '--days', '3', '--hide-notes']
  expect(await runAdmin(args, where)).toContain(`${user.email} has been suspended.`)
  expect((await waitForMail(test, user.email)).text).toContain('Sold exams.')
  await expect(runAdmin(['suspend', user.email], where)).rejects.toMatchObject({ code: 2 })
})

it('lectern admin reports a file that was typed wrong as it is, also inside of DATA_DIR', async () => {
  const { dataDir } = deps.config
  for (const file of [join(dataDir, 'none.csv'), `${dataDir}-lists/none.csv`]) {
    const failed = await runAdmin(['courses', 'import', file], where).catch((error) => error)
    expect([failed.code, String(failed.stderr)]).toEqual([1, `ENOENT: no such file or directory, open '${file}'\n`])
  }
})

it('lectern admin ends when it is told to stop and a while later again, whatever it waits for', async () => {
  const { promise: connected, resolve: onConnection } = Promise.withResolvers<unknown>()
  const silentMailServer = await startTcpServer(onConnection)
  const mail = { SMTP_URL: `smtp://127.0.0.1:${silentMailServer.port}`, MAIL_FROM: 'a@uni.example' }
  const command = startAdmin(['doctor'], { ...where, ...mail })
  const ended = command.catch((error) => error)
  await connected
  const interrupt = () => {
    command.child.kill('SIGINT')
    return command.child.exitCode
  }
  await expect.poll(interrupt, { interval: 300 }).toBe(1)
  await silentMailServer.close()
  const printed = String((await ended).stdout)
  expect(printed).toContain('Database')
  expect(printed).not.toContain('Fix the items')
})

it('lectern admin reprocess has not succeeded when it was interrupted', async () => {
  expect(await reprocess(deps, { all: false, signal: new AbortController().signal }, out)).toBe(true)
  expect(await reprocess(deps, { all: false, signal: AbortSignal.abort() }, out)).toBe(false)
  expect(said.join('')).toContain('Stopped. Run it again without --all to continue.')
})

it('lectern admin suspends by email and behind a note, and lifts each by the same', async ({ user }) => {
  const note = await createNote(test, user, { isAnonymous: true })
  const options = { reason: 'Sold exams.', days: undefined, hidesNotes: false }
  expect(await suspend(deps, ` ${user.email.toUpperCase()}`, options, out)).toBe(true)
  expect(await suspend(deps, note, options, out)).toBe(true)
  expect(await unsuspend(deps, user.email, out)).toBe(true)
  expect((await logIn(test, user.email)).json().user).toHaveProperty('suspension')
  said.splice(0)
  expect(await unsuspend(deps, user.email, out)).toBe(false)
  expect(said.join('')).toBe('  Nothing was changed: This account is no longer suspended.\n')
  expect(await unsuspend(deps, note, out)).toBe(true)
  expect((await logIn(test, user.email)).json().user).not.toHaveProperty('suspension')
  const before = await entries()
  for (const bad of [{ reason: ' ' }, { days: '0' }, { days: 'x' }])
    await expect(suspend(deps, user.email, { ...options, ...bad }, out)).rejects.toThrow(UsageError)
  expect(await suspend(deps, 'nobody@uni.example', options, out)).toBe(false)
  await expect(suspend(deps, note, { ...options, hidesNotes: true }, out)).rejects.toThrow(
    '--hide-notes needs an EMAIL.',
  )
  expect(await entries()).toEqual(before)
  expect((await logIn(test, user.email)).json().user).not.toHaveProperty('suspension')
})

it('lectern admin redacts the reason of a decision, and reports an unknown one', async () => {
  const decision = { kind: 'keep', rule: 'other', reason: 'Ada Okafor wrote it.' } as const
  const insertion = deps.db.insertInto('moderation_decisions').values(decision).returning('number')
  const { number } = await insertion.executeTakeFirstOrThrow()
  expect(await redactReason(deps.db, String(number), out)).toBe(true)
  expect(await deps.db.selectFrom('moderation_decisions').select('reason').execute()).toEqual([
    { reason: 'The reason was removed by those who run this library.' },
  ])
  said.splice(0)
  for (const bad of [String(number + 1), 'x', '-1', '']) expect(await redactReason(deps.db, bad, out)).toBe(false)
  expect(said.join('')).toContain(`  Nothing was changed: there is no decision ${number + 1}.\n`)
})

const read = (text: string) => readCourseList(Buffer.from(text)).courses
const problemsOf = (bytes: Uint8Array | string) => readCourseList(Buffer.from(bytes)).problems

it.each([
  ['plain', 'CSC108,Introduction to Programming\nMAT137,Calculus\n'],
  ['with a first line of names', 'Code, Name\nCSC108,Introduction to Programming\nMAT137,Calculus'],
  ['by semicolons', '\ufeffcode;name\r\nCSC108;Introduction to Programming\r\nMAT137;"Calculus"\r\n'],
  ['from a spreadsheet', '\ufeffcode,name\r\n"csc108","Introduction to Programming"\r\n\r\nmat137 , Calculus \r\n'],
])('a list of courses %s is read', (_kind, text) => {
  expect(read(text)).toEqual([
    { code: 'CSC108', name: 'Introduction to Programming' },
    { code: 'MAT137', name: 'Calculus' },
  ])
})

it('a list of courses has commas, quotes and letters of all kinds in names', () => {
  expect(read('PHL 100,"Plato, Kant ""et al."" – Ästhetik"\n')).toEqual([
    { code: 'PHL 100', name: 'Plato, Kant "et al." – Ästhetik' },
  ])
})

it('a list of courses is refused with all that is wrong, by line, and codes that grow when they are folded', () => {
  expect(
    problemsOf(`CSC108,One\nCSC109\nCSC110,a,b\n,Nameless\nCSC111,\n---,Lines\ncsc 108,Two\nCSC112,${'x'.repeat(151)}`),
  ).toEqual([
    'Line 2: expected 2 fields (code, name), found 1.',
    'Line 3: expected 2 fields (code, name), found 3.',
    'Line 4, code: Please fill in all required fields.',
    'Line 5, name: A course needs a name.',
    'Line 6, code: A course code needs at least one letter or digit.',
    'Line 7: CSC 108 is already on line 1.',
    'Line 8, name: Use at most 150 characters.',
  ])
  expect(problemsOf(`CSC108,One\n0NN${'ﷺ'.repeat(29)},Two`)).toEqual(['Line 2, code: Use at most 32 characters.'])
})

it.each([
  ['nothing', '', 'The file has no courses.'],
  ['names of columns alone', 'code,name\n', 'The file has no courses.'],
  ['Latin-1', Buffer.from('CSC108,Théorie', 'latin1'), 'The file isn’t UTF-8. Export it as “CSV UTF-8”.'],
  ['a quote that never ends', 'CSC108,"Intro\nMAT137,Calculus\n', /Quote Not Closed/],
])('a list of courses with %s is refused', (_what, bytes, problem) => {
  expect(problemsOf(bytes)).toEqual([typeof problem === 'string' ? problem : expect.stringMatching(problem)])
})
const folder = await makeTestFolder()

/** @returns the output. */
async function run(text: string, replace = false): Promise<string> {
  const file = join(folder, 'courses.csv')
  await writeFile(file, text)
  const recorded = recordOutput()
  const isDone = await importCourses(test.deps.db, file, { replace }, recorded.out)
  const said = recorded.said.join('')
  expect(isDone).toBe(!said.includes('Nothing was changed'))
  return said.trim().replace(file, 'courses.csv')
}
const list = () => test.deps.db.selectFrom('course_names').select(['code', 'name']).orderBy('course_key').execute()

it('lectern admin courses import adds and changes, removes the others if requested, and changes nothing for an invalid list', async () => {
  expect(await run('CSC108,Programming\nMAT137,Calculus')).toBe('2 courses read: 2 added, 0 changed, 0 removed.')
  expect(await run('csc-108,Programming\nPHY131,Physics\nMAT137,Calculus')).toBe(
    '3 courses read: 1 added, 1 changed, 0 removed.',
  )
  const listed = Object.entries({ 'CSC-108': 'Programming', MAT137: 'Calculus', PHY131: 'Physics' }).map(
    ([code, name]) => ({ code, name }),
  )
  expect(await list()).toEqual(listed)
  expect(await run('CSC109,Fine\nbad', true)).toBe(
    'Nothing was changed: fix courses.csv first:\n  Line 2: expected 2 fields (code, name), found 1.',
  )
  expect(await list()).toEqual(listed)
  expect(await run('PHY131,Mechanics', true)).toBe('1 course read: 0 added, 1 changed, 2 removed.')
  expect(await list()).toEqual([{ code: 'PHY131', name: 'Mechanics' }])
})

it('lectern admin courses import takes thousands', async () => {
  const many = Array.from({ length: 2_500 }, (_, at) => `MAN${at},Course ${at}`).join('\n')
  expect(await run(many, true)).toBe('2500 courses read: 2500 added, 0 changed, 1 removed.')
})
