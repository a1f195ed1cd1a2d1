import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { createNote, createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { field, file, goodFields, upload } from '../../testing/form.ts'
import { createPdfWithText, pdfByAuthor } from '../../testing/pdf-kinds.ts'
import { expectRefusal } from '../../testing/refusal.ts'
import { get, remove } from '../../testing/students.ts'

const test = await openTestApp()
const [ada, ben] = await Promise.all([createUser(test, { name: 'Ada Okafor' }), createUser(test)])

const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
const ask = (user: TestUser, digits: string) => get(test, `/api/users/me/notes/same-file?sha256=${digits}`, user.auth)
const share = async (user: TestUser, content: Uint8Array, isAnonymous = false) => {
  const response = await upload(test, user, [...goodFields, field('isAnonymous', String(isAnonymous)), file(content)])
  return response.json().notes[0]
}

it('names the newest own note of this very file, until that is deleted', async () => {
  const content = createPdfWithText('Eigenvalues')
  expect((await ask(ada, sha256(content))).json()).toEqual({ note: null })
  const older = await share(ada, content)
  const newer = await share(ada, content)
  expect((await ask(ada, sha256(content))).json().note._id).toBe(newer._id)
  expect((await ask(ada, sha256(content).toUpperCase())).json().note._id).toBe(newer._id)
  await remove(test, `/api/users/me/notes/${newer._id}`, ada.auth)
  expect((await ask(ada, sha256(content))).json().note._id).toBe(older._id)
})

it('reveals nothing about another user’s note, and answers as if there were none', async () => {
  const content = createPdfWithText('Divergence')
  const unknown = await ask(ben, sha256(content))
  await share(ada, content)
  await share(ada, content, true)
  const known = await ask(ben, sha256(content))
  expect([known.statusCode, known.body]).toEqual([unknown.statusCode, unknown.body])
  expect((await share(ben, content)).user._id).toBe(ben.id)
})

it('knows an anonymous note by the file as it was sent, not by the one that is stored', async () => {
  const content = pdfByAuthor('Ada Okafor')
  const note = await share(ada, content, true)
  expect((await ask(ada, sha256(content))).json().note._id).toBe(note._id)
  const view = await get(test, `/api/notes/${note._id}/view`, ada.auth)
  expect((await ask(ada, sha256(view.rawPayload))).json()).toEqual({ note: null })
})

it('tells the hash of a file in no answer and no header', async () => {
  const content = pdfByAuthor('Ada Okafor')
  const note = await share(ada, content, true)
  const digest = Buffer.from(sha256(content), 'hex')
  const urls = [
    '/api/notes',
    '/api/users/me/notes',
    `/api/notes/${note._id}`,
    `/api/notes/by-id?ids=${note._id}`,
    `/api/notes/${note._id}/view`,
    `/api/users/me/notes/same-file?sha256=${sha256(content)}`,
  ]
  for (const user of [ada, ben]) {
    for (const url of urls) {
      const answer = await get(test, url, user.auth)
      expect(answer.statusCode).toBe(200)
      const everything = JSON.stringify(answer.headers) + answer.rawPayload.toString('latin1')
      for (const spelling of ['hex', 'base64', 'base64url', 'latin1'] as const) {
        expect(everything.includes(digest.toString(spelling))).toBe(false)
      }
    }
  }
})

it('knows nothing of notes that came before files were remembered', async () => {
  const content = createPdfWithText('Long ago')
  await createNote(test, ada, { content })
  expect((await ask(ada, sha256(content))).json()).toEqual({ note: null })
})

it.each(['', 'abc', `${'0'.repeat(63)}g`, '0'.repeat(65), '%00'])('refuses %j as a hash', async (digits) => {
  expectRefusal(await ask(ada, digits), 'invalid_input', expect.any(String))
})
