import { expect, it } from 'vitest'
import { type AuditAction, auditActions } from '../../../packages/contract/members.ts'
import { describeAuditEntry } from './describe-entry.ts'

const entry = {
  number: 1,
  at: '2026-11-22T10:00:00.000Z',
  actor: null,
  subject: { _id: 's', text: 'Ben', email: 'ben@uni.example' },
}

const entries: [AuditAction, Record<string, string>, string][] = [
  ['role', { from: 'student', to: 'admin' }, 'changed Ben (ben@uni.example) from student to admin'],
  ['decision', { kind: 'hide', decision: '3' }, 'decided on “Ben”: hide'],
  ['decision', { kind: 'ask' }, 'asked the author of “Ben” a question'],
  ['suspension', { kind: 'suspend', days: '1', reason: 'Exams.' }, 'suspended Ben (ben@uni.example) for 1 day: Exams.'],
  [
    'suspension',
    { kind: 'suspend behind', days: 'until lifted', reason: 'Exams.' },
    'suspended the author of “Ben” until lifted: Exams.',
  ],
  ['suspension', { kind: 'lift' }, 'lifted the suspension of Ben (ben@uni.example)'],
  ['suspension', { kind: 'lift behind' }, 'lifted the suspension of the author of “Ben”'],
  ['quota', { mb: '20' }, 'set the upload limit of Ben (ben@uni.example) to 20 MB per 24 hours'],
  ['invitation', { kind: 'invite', by: 'mail' }, 'created an invitation (mail)'],
  ['invitation', { kind: 'send again' }, 'resent an invitation'],
  ['invitation', { kind: 'withdraw' }, 'revoked an invitation'],
  ['settings', { kind: 'registration', mode: 'invited' }, 'set registration to invited'],
  [
    'settings',
    { kind: 'registration', mode: 'domains', domains: 'uni.example' },
    'set registration to domains (uni.example)',
  ],
  ['settings', { kind: 'announcement', text: 'Hello', days: '3' }, 'published an announcement for 3 days: Hello'],
  ['settings', { kind: 'announcement', text: 'Hello', days: '1' }, 'published an announcement for 1 day: Hello'],
  ['settings', { kind: 'announcement', text: '' }, 'removed the announcement'],
  ['settings', { kind: 'daily upload', mb: '50' }, 'set the default upload limit to 50 MB per 24 hours'],
  ['settings', { kind: 'daily upload', mb: 'as configured' }, 'reset the default upload limit'],
  ['two-factor-off', {}, 'turned off two-factor authentication for Ben (ben@uni.example)'],
]

it.each(entries)('describes %s as %j', (action, details, said) => {
  expect(describeAuditEntry({ ...entry, action, details })).toBe(said)
})

it('has words for everything that is written down', () =>
  expect(new Set(entries.map(([action]) => action))).toEqual(new Set(auditActions)))

it('describes deleted accounts and notes as far as they are known', () => {
  const gone = { ...entry, subject: { _id: 's' } }
  const details = { kind: 'keep', from: 'admin', to: 'student' }
  expect(describeAuditEntry({ ...gone, action: 'decision', details })).toBe('decided on a deleted note: keep')
  const changed = describeAuditEntry({ ...gone, action: 'role', details })
  expect(changed).toBe('changed a deleted account from admin to student')
})
