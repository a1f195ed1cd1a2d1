import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { beforeEach, expect, test } from 'vitest'
import { makeTestFolder } from '../../testing/data-folder.ts'
import type { Log } from '../observability/log.ts'
import type { Mail } from './mailer.ts'
import { createOutbox, type Outbox } from './outbox.ts'

let parent: string
let dir: string
let outbox: Outbox
let printed: string[]

beforeEach(async () => {
  parent = await makeTestFolder()
  dir = join(parent, 'data', 'outbox')
  printed = []
  const print = (message: unknown) => void printed.push(String(message))
  const log: Log = { debug: print, info: print, warn: print, error: print }
  outbox = createOutbox({ dir, from: 'Lectern <lectern@localhost>', log })
})

const link = `http://localhost:3000/verify?token=${'a'.repeat(43)}`
const mail: Mail = { to: 'ana@example.org', subject: 'Grüße', text: `Hello\n\n${link}\n`, html: '<p>Hello</p>', link }

test('a mail becomes a message file that only its owner can read, and its link is printed', async () => {
  await outbox.send(mail)
  const names = await readdir(dir)
  const pattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-ana@example\.org-[0-9a-f]{6}\.eml$/
  expect(names).toEqual([expect.stringMatching(pattern)])
  const file = join(dir, names[0] ?? '')
  expect((await stat(dir)).mode & 0o777).toBe(0o700)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const content = await readFile(file, 'utf8')
  const parsed = await PostalMime.parse(content)
  expect(parsed).toMatchObject({ from: { name: 'Lectern', address: 'lectern@localhost' }, subject: 'Grüße' })
  expect(parsed.to).toMatchObject([{ address: 'ana@example.org' }])
  expect(parsed.text).toContain(link)
  expect(content.split(/\s+/)).toContain(link)
  expect(printed).toEqual([`Mail to ana@example.org: Grüße\n  ${link}`])
})

test('mails are listed with the newest first', async () => {
  expect(await outbox.list()).toEqual([])
  // A mail's Date is in whole seconds.
  const before = Math.floor(Date.now() / 1000) * 1000
  for (const subject of ['first', 'second', 'third']) {
    await outbox.send({ ...mail, subject })
    // Files are ordered by millisecond, so this waits for the next one.
    const sentAt = Date.now()
    while (Date.now() === sentAt);
  }
  const mails = await outbox.list()
  expect(mails.map(({ subject }) => subject)).toEqual(['third', 'second', 'first'])
  expect(mails[0]).toMatchObject({ to: 'ana@example.org', text: mail.text.trim() })
  for (const { sentAt } of mails) {
    expect(sentAt.getTime()).toBeGreaterThanOrEqual(before)
    expect(sentAt.getTime()).toBeLessThanOrEqual(Date.now())
  }
  expect(await outbox.findMail(mails[0]?.id ?? '')).toEqual(mails[0])
})

test('twenty simultaneous mails to one address are twenty files', async () => {
  await Promise.all(Array.from({ length: 20 }, () => outbox.send(mail)))
  expect(await outbox.list()).toHaveLength(20)
  expect(await readdir(dir)).toHaveLength(20)
})

test.each([
  '../../etc/passwd@example.org',
  '/etc/cron.d/x@example.org',
  `${'a'.repeat(200)}@example.org`,
  '.@..',
  'a|b*?@x',
])('the recipient %j stays inside the folder', async (to) => {
  await outbox.send({ ...mail, to })
  expect(await readdir(dir)).toEqual([expect.stringMatching(/^[a-zA-Z0-9@._+-]{1,140}\.eml$/)])
  expect([await readdir(parent), await readdir(join(parent, 'data'))]).toEqual([['data'], ['outbox']])
  expect(await outbox.list()).toHaveLength(1)
})

const refused = ['a@example.org\r\nBcc: eve@evil.example', 'a@example.org, eve@evil.example', 'a\u0000@example.org', '']
test.each(refused)('the recipient %j is refused and nothing is written', async (to) => {
  await expect(outbox.send({ ...mail, to })).rejects.toThrow('a single plain email address')
  expect(await readdir(parent)).toEqual([])
  expect(printed).toEqual([])
})

test('only files of the outbox are read', async () => {
  await outbox.send(mail)
  await writeFile(join(parent, 'secret.eml'), 'Subject: secret\r\n\r\nsecret')
  await writeFile(join(dir, 'notes.eml'), 'Subject: notes\r\n\r\nnotes')
  expect(await outbox.list()).toHaveLength(1)
  for (const id of ['../../secret', '..%2Fsecret', 'notes', '', '2026-11-21T09-30-00-000Z-../../../secret-abcdef'])
    expect(await outbox.findMail(id)).toBeNull()
})

test('a folder that cannot be written rejects', async () => {
  await writeFile(join(parent, 'data'), 'a file in the way')
  await expect(outbox.send(mail)).rejects.toThrow()
  expect(printed).toEqual([])
})
