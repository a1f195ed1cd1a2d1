import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Mail } from '../platform/mail/mailer.ts'
import type { TestApp } from './app.ts'
import { drainJobs } from './drain-jobs.ts'

/** Returns the mails to an address, oldest first. */
export const mailsTo = ({ mails }: Pick<TestApp, 'mails'>, email: string): Mail[] =>
  mails.filter(({ to }) => to === email)

/** Runs the queued jobs and expects that exactly `count` mails were sent to the address. @returns the last of them. */
export async function waitForMail(test: Pick<TestApp, 'deps' | 'mails'>, email: string, count = 1): Promise<Mail> {
  await drainJobs(test)
  expect(mailsTo(test, email)).toHaveLength(count)
  const mail = mailsTo(test, email).at(-1)
  if (!mail) throw new Error('No email was requested')
  return mail
}

/** Runs the queued jobs. @returns the states of all mails about accounts, oldest first. */
export async function runAccountMails(test: Pick<TestApp, 'deps'>): Promise<string[]> {
  await drainJobs(test)
  const jobs = sql<{ state: string }>`SELECT state FROM pgboss.job WHERE name = 'account-mail' ORDER BY created_on`
  return (await jobs.execute(test.deps.db)).rows.map(({ state }) => state)
}

/** Returns the token in the link of a mail. */
export function tokenOf({ link }: Pick<Mail, 'link'>): string {
  const token = new URL(link ?? '').searchParams.get('token')
  if (!token) throw new Error('The mail has no link with a token')
  return token
}
