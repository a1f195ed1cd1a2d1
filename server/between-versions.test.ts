import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { jobs } from './jobs.ts'
import { openTestApp } from './test/app.ts'

/*
 * What servers of two releases exchange while they are replaced one after the other. It has to be the same in both: what
 * changes gets a new name, which the older release leaves alone.
 */

type Schema = z.core.JSONSchema.BaseSchema

const fieldsOf = ({ properties = {}, required = [], anyOf = [], oneOf = anyOf }: Schema): string =>
  oneOf.length > 0
    ? oneOf.map((one) => fieldsOf(one as Schema)).join(' | ')
    : Object.entries(properties as Record<string, Schema>)
        .map(([name, { const: only, enum: values = [only] }]) => {
          const mark = required.includes(name) ? '' : '?'
          return only === undefined && values[0] === undefined ? name + mark : `${name}${mark}=${values.join('/')}`
        })
        .join(', ')

// A job that carries something else gets a new name, which older workers leave to newer ones.
it('jobs carry what workers of the last release understand', () => {
  const payloads = jobs.map(({ job }) => [job.name, fieldsOf(z.toJSONSchema(job.payload))])
  expect(Object.fromEntries(payloads.filter(([, fields]) => fields))).toEqual({
    'account-mail':
      'kind=verification, registrationId | kind=account-exists, userId | kind=password-reset, userId | kind=no-account, email | kind=password-changed, userId',
    'alert-mail': 'alertId',
    'claim-mail': 'claimId, decision?',
    'course-mail': 'userId, number',
    'draw-picture': 'documentId',
    export: 'exportId',
    'export-mail': 'exportId',
    'invitation-mail': 'invitationId',
    leave: 'userId',
    'left-mail': 'email, keepsNotes',
    'moderation-mail': 'noteId, decision?',
    'read-text': 'documentId',
    'recognise-text': 'documentId',
    'settings-mail': 'kind=email, changeId | kind=email-taken, userId',
    'suspension-mail': 'kind=suspended/lifted, userId | kind=suspended/lifted, noteId',
  })
})

// Where pg-boss changes its tables, look whether the version before works on them, or have a migration say that none does.
it('the tables of the job queue are those of the last release', async () => {
  const { db } = (await openTestApp()).deps
  const { rows } = await sql<{ version: number }>`SELECT version FROM pgboss.version`.execute(db)
  expect(rows).toEqual([{ version: 43 }])
})
