import { expect, it } from 'vitest'
import { type AuditAction, auditActions } from '../../contract/members.ts'
import { describeEntry } from './describe-entry.ts'

const entry = {
  number: 1,
  at: '2026-11-22T10:00:00.000Z',
  actor: { _id: 'a', name: 'Ada' },
  subject: { _id: 's', text: 'Ben' },
}

const entries: [AuditAction, Record<string, string>, string][] = [
  ['role', { from: 'student', to: 'admin' }, 'Ada: role of Ben from student to admin'],
  ['decision', { kind: 'hide', decision: '3' }, 'Ada: decided on “Ben”: hide'],
  ['decision', { kind: 'ask' }, 'Ada: asked the author of “Ben”'],
  ['suspension', { kind: 'suspend', days: '1', reason: 'Exams.' }, 'Ada: suspended Ben for 1 day: Exams.'],
  [
    'suspension',
    { kind: 'suspend behind', days: 'until lifted', reason: 'Exams.' },
    'Ada: suspended the author of “Ben” until it is lifted: Exams.',
  ],
  ['suspension', { kind: 'lift' }, 'Ada: lifted the suspension of Ben'],
  ['suspension', { kind: 'lift behind' }, 'Ada: lifted the suspension of the author of “Ben”'],
  ['quota', { mb: '20' }, 'Ada: uploads of Ben: 20 MB in 24 hours'],
  ['invitation', { kind: 'invite', by: 'mail' }, 'Ada: invited somebody by mail'],
  ['invitation', { kind: 'withdraw' }, 'Ada: took an invitation back'],
  ['settings', { kind: 'registration', mode: 'invited' }, 'Ada: who may register: invited'],
  [
    'settings',
    { kind: 'registration', mode: 'domains', domains: 'uni.example' },
    'Ada: who may register: domains (uni.example)',
  ],
  ['settings', { kind: 'announcement', text: 'Hello', days: '3' }, 'Ada: announced for 3 days: Hello'],
  ['settings', { kind: 'announcement', text: '' }, 'Ada: took the announcement away'],
  ['settings', { kind: 'daily upload', mb: '50' }, 'Ada: uploads of all: 50 MB in 24 hours'],
  ['settings', { kind: 'daily upload', mb: 'as configured' }, 'Ada: uploads of all: as configured'],
  ['two-factor-off', {}, 'Ada: turned off two-factor login of Ben'],
]

it.each(entries)('says %s %j', (action, details, said) => {
  expect(describeEntry({ ...entry, action, details })).toBe(said)
})

it('has words for everything that is written down', () => {
  expect(new Set(entries.map(([action]) => action))).toEqual(new Set(auditActions))
})

it('says what is known of accounts and notes that are gone', () => {
  const gone = { ...entry, actor: { _id: 'a' }, subject: { _id: 's' } }
  const details = { kind: 'keep', from: 'admin', to: 'student' }
  expect(describeEntry({ ...gone, action: 'decision', details })).toBe(
    'An account that is gone: decided on a note that is gone: keep',
  )
  expect(describeEntry({ ...gone, actor: null, action: 'role', details })).toBe(
    'The command line: role of an account that is gone from admin to student',
  )
})
