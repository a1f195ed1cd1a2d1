import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createNote, createUser, openTestApp } from '../../testing/app.ts'
import { waitForMail } from '../../testing/mails.ts'
import { get, logIn } from '../../testing/students.ts'
import { UsageError } from './command-line.ts'
import { announce, printInvitation, redactReason, setQuota, setRegistration } from './instance-settings.ts'
import { suspend, unsuspend } from './members.ts'

const admin = fileURLToPath(new URL('../admin.ts', import.meta.url))
const test = await openTestApp()
const { deps } = test
let said = ''
const out = {
  write(text: string) {
    said += text
    return true
  },
}
const policy = async () => (await test.app.inject('/api/registration')).json()
const entries = async () =>
  (await deps.db.selectFrom('audit_entries').select(['actor_id', 'action', 'details']).orderBy('number').execute()).map(
    ({ actor_id, action, details }) => ({ actor_id, action, ...(details as object) }),
  )

it('sets who may register, and creates an invitation', async () => {
  expect(await setRegistration(deps, 'domains', ['uni.example'], out)).toBe(true)
  expect(await policy()).toEqual({ mode: 'domains', domains: ['uni.example'] })
  for (const [mode, ...bad] of [['domains'], ['closed'], ['domains', 'x'], ['open', 'uni.example']] as const) {
    await expect(setRegistration(deps, mode, bad, out)).rejects.toThrow(UsageError)
  }
  await expect(setRegistration(deps, 'open', ['uni.example'], out)).rejects.toThrow(
    'open takes no domains. Did you mean: registration domains uni.example',
  )
  expect(await policy()).toMatchObject({ mode: 'domains' })
  await printInvitation(deps, out)
  expect(said).toMatch(/http:\/\/localhost:3000\/register\?invitation=[\w-]{43}\n/)
  expect(await entries()).toMatchObject([
    { actor_id: null, action: 'settings', mode: 'domains', domains: 'uni.example' },
    { actor_id: null, action: 'invitation', kind: 'invite', by: 'link' },
  ])
})

it('announces, and takes it back', async () => {
  const user = await createUser(test)
  const getAnnouncement = async () => (await get(test, '/api/users/me', user.auth)).json().user.announcement?.text
  expect(await announce(deps, 'Closed on Monday.', '2', out)).toBe(true)
  expect(await getAnnouncement()).toBe('Closed on Monday.')
  expect(await announce(deps, 'off', undefined, out)).toBe(true)
  expect(await getAnnouncement()).toBeUndefined()
})

it('reports the expected values for invalid input', async () => {
  const days = new UsageError('--days must be a whole number from 1 to 365.')
  for (const typed of ['soon', '0', '400', '1.5']) {
    await expect(announce(deps, 'Hello', typed, out)).rejects.toEqual(days)
  }
  for (const typed of ['OFF', 'off ']) {
    await expect(announce(deps, typed, undefined, out)).rejects.toThrow(
      'To remove the announcement, use: announce off.',
    )
  }
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

it('sets the upload limit of one user and of all', async () => {
  const user = await createUser(test)
  expect(await setQuota(deps, 'all', '50', out)).toBe(true)
  expect(await setQuota(deps, user.email, '20', out)).toBe(true)
  const quotas = () => deps.db.selectFrom('upload_quotas').select(['user_id', 'daily_mb']).execute()
  expect(await quotas()).toEqual([{ user_id: user.id, daily_mb: 20 }])
  expect(await setQuota(deps, 'nobody@uni.example', '3', out)).toBe(false)
  expect(await setQuota(deps, user.email, 'default', out)).toBe(true)
  expect(await quotas()).toEqual([])
})

it('is a command beside a running server, which mails what was done', async () => {
  const user = await createUser(test)
  const env = {
    ...process.env,
    NODE_ENV: 'test',
    ...test.whereFilesAre,
    DATABASE_URL: test.databaseUrl,
    SECRET: deps.secret,
  }
  const run = promisify(execFile)
  const { stdout } = await run(
    process.execPath,
    [admin, 'suspend', user.email, '--reason', 'Sold exams.', '--days', '3', '--hide-notes'],
    { env },
  )
  expect(stdout).toContain(`${user.email} has been suspended.`)
  expect((await waitForMail(test, user.email)).text).toContain('Sold exams.')
  await expect(run(process.execPath, [admin, 'suspend', user.email], { env })).rejects.toMatchObject({ code: 2 })
})

it('suspends by email and behind a note, and lifts each by the same', async () => {
  const user = await createUser(test)
  const note = await createNote(test, user, { isAnonymous: true })
  const options = { reason: 'Sold exams.', days: undefined, hidesNotes: false }
  expect(await suspend(deps, ` ${user.email.toUpperCase()}`, options, out)).toBe(true)
  expect(await suspend(deps, note, options, out)).toBe(true)
  expect(await unsuspend(deps, user.email, out)).toBe(true)
  expect((await logIn(test, user.email)).json().user).toHaveProperty('suspension')
  said = ''
  expect(await unsuspend(deps, user.email, out)).toBe(false)
  expect(said).toBe('  Nothing was changed: This account is no longer suspended.\n')
  expect(await unsuspend(deps, note, out)).toBe(true)
  expect((await logIn(test, user.email)).json().user).not.toHaveProperty('suspension')

  const before = await entries()
  for (const bad of [{ reason: ' ' }, { days: '0' }, { days: 'x' }]) {
    await expect(suspend(deps, user.email, { ...options, ...bad }, out)).rejects.toThrow(UsageError)
  }
  expect(await suspend(deps, 'nobody@uni.example', options, out)).toBe(false)
  await expect(suspend(deps, note, { ...options, hidesNotes: true }, out)).rejects.toThrow(
    '--hide-notes needs an EMAIL.',
  )
  expect(await entries()).toEqual(before)
  expect((await logIn(test, user.email)).json().user).not.toHaveProperty('suspension')
})

it('redacts the reason of a decision, and reports an unknown one', async () => {
  await deps.db
    .insertInto('moderation_decisions')
    .values({ kind: 'keep', rule: 'other', reason: 'Ada Okafor wrote it.' })
    .execute()
  const { number } = await deps.db.selectFrom('moderation_decisions').select('number').executeTakeFirstOrThrow()
  expect(await redactReason(deps.db, String(number), out)).toBe(true)
  expect(await deps.db.selectFrom('moderation_decisions').select('reason').execute()).toEqual([
    { reason: 'The reason was removed by those who run this library.' },
  ])
  said = ''
  for (const bad of [String(number + 1), 'x', '-1', '']) expect(await redactReason(deps.db, bad, out)).toBe(false)
  expect(said).toContain(`  Nothing was changed: there is no decision ${number + 1}.\n`)
})
