import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { fail } from '../../../platform/http/api-error.ts'
import { createUser, openTestApp } from '../../../testing/app.ts'
import { drainJobs } from '../../../testing/drain-jobs.ts'
import { checkProblems, saveBackupResult } from './attention.ts'

const operator = 'operator@uni.example'
const test = await openTestApp({ OPERATOR_EMAIL: operator })
const { db, files } = test.deps
const admin = await createUser(test, { role: 'admin' })

const list = async () => {
  const answer = await test.app.inject({ url: '/api/admin/problems', headers: admin.auth })
  return answer.json<{ problems: { kind: string; text: string }[] }>().problems
}
/** @returns the kinds listed after the check, and the mails sent. */
async function check() {
  test.mails.length = 0
  // Two servers check at the same time.
  await Promise.all([checkProblems(test.deps), checkProblems(test.deps)])
  await drainJobs(test)
  const mails = test.mails.map(({ to, subject, text }) => ({ to, subject, text }))
  return { kinds: (await list()).map(({ kind }) => kind), mails }
}
const nextDay = () => sql`UPDATE problems SET mailed_at = mailed_at - interval '1 day'`.execute(db)

it('lists a problem, and tells admins and the operator once a day and when it is over', async () => {
  expect(await check()).toEqual({ kinds: [], mails: [] })
  const { check: checkFiles } = files
  files.check = () => Promise.reject(new Error('ENOSPC'))
  const first = await check()
  expect(first.kinds).toEqual(['storage'])
  expect(first.mails.map(({ to, subject }) => [to, subject]).sort()).toEqual(
    [admin.email, operator].sort().map((to) => [to, 'Lectern needs your attention']),
  )
  expect(first.mails[0]?.text).toContain('uploads are refused')
  expect(await check()).toEqual({ kinds: ['storage'], mails: [] })
  await nextDay()
  expect((await check()).mails).toHaveLength(2)
  files.check = checkFiles
  const over = await check()
  expect(over.kinds).toEqual([])
  expect(over.mails.map(({ subject }) => subject)).toEqual(Array(2).fill('A problem with Lectern is resolved'))
  // The problem returns and ends on the same day, so no mail is sent.
  files.check = () => Promise.reject(new Error('ENOSPC'))
  expect(await check()).toEqual({ kinds: ['storage'], mails: [] })
  files.check = checkFiles
  expect(await check()).toEqual({ kinds: [], mails: [] })
})

it('finds a lack of space, backups that fail or are old, refused addresses and jobs that failed for good', async () => {
  const texts = async () => {
    await check()
    return (await list()).map(({ text }) => text)
  }
  const { space } = test.deps
  const { assertFree } = space
  space.assertFree = async () => fail('storage_full', { cause: 'less than 256 MB free in /data' })
  const full = 'Uploads and changes are refused until there is more space: less than 256 MB free in /data.'
  expect(await texts()).toEqual([full])
  space.assertFree = assertFree
  await saveBackupResult(db, null)
  expect(await texts()).toEqual([])
  await saveBackupResult(db, 'The disk is full.')
  expect(await texts()).toEqual(['The last backup failed: The disk is full.'])
  await saveBackupResult(db, null)
  await sql`UPDATE backup_result SET succeeded_at = now() - interval '3 days'`.execute(db)
  expect(await texts()).toEqual(['The last backup is 3 days old.'])
  await saveBackupResult(db, null)
  await sql`INSERT INTO mail_suppressions (address_sha256) VALUES (sha256('x'))`.execute(db)
  await sql`
    INSERT INTO pgboss.job (name, state, retry_limit, completed_on, policy)
    VALUES ('export', 'failed', 3, now(), 'short'), ('account-mail', 'failed', 3, now(), 'short')`.execute(db)
  expect(await texts()).toEqual([
    expect.stringMatching(/^1 address permanently rejected/),
    expect.stringMatching(/^Jobs that failed permanently in the last 24 hours: export\./),
  ])
})
