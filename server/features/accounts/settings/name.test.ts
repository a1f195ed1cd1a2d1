import { expect, it } from 'vitest'
import { messages } from '../../../../packages/contract/fields.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { createNote, createUser, openTestApp, type TestUser } from '../../../testing/app.ts'
import { expectRefusal } from '../../../testing/refusal.ts'
import { get, patch } from '../../../testing/students.ts'
import { changeEmail } from '../users/users.ts'

const test = await openTestApp()
const rename = ({ auth }: TestUser, payload?: object) =>
  test.app.inject({ method: 'PATCH', url: '/api/users/me/name', headers: auth, ...(payload && { payload }) })
const getMe = async ({ auth }: TestUser) => (await get(test, '/api/users/me', auth)).json().user
const readNote = async ({ auth }: TestUser, id: string) => (await get(test, `/api/notes/${id}`, auth)).json()

it('changes the name, for others too', async () => {
  const [ada, ben] = [await createUser(test), await createUser(test)]
  const noteId = await createNote(test, ada)
  const response = await rename(ada, { name: '  Ada Lovelace ' })
  expect([response.statusCode, response.json()]).toEqual([200, { name: 'Ada Lovelace' }])
  expect(await getMe(ada)).toMatchObject({ name: 'Ada Lovelace', email: ada.email })
  expect((await readNote(ben, noteId)).user).toEqual({ _id: ada.id, name: 'Ada Lovelace' })
})

it('takes the new name out of the titles of anonymous notes, and leaves the others', async () => {
  const [ada, ben] = [await createUser(test, { name: 'Ada' }), await createUser(test)]
  const anonymous = await createNote(test, ada, { title: 'Lovelace week 1', isAnonymous: true })
  const named = await createNote(test, ada, { title: 'Lovelace week 2' })
  const other = await createNote(test, ben, { title: 'Lovelace week 3', isAnonymous: true })
  await rename(ada, { name: 'Ada Lovelace' })
  expect((await readNote(ben, anonymous)).title).toBe('week 1')
  expect((await readNote(ben, named)).title).toBe('Lovelace week 2')
  expect((await readNote(ben, other)).title).toBe('Lovelace week 3')
  const found = await get(test, '/api/notes?title=Lovelace+week+1', ben.auth)
  expect(found.json().notes).toEqual([])
})

it('goes on taking the former name and address out of them', async () => {
  const ada = await createUser(test, { name: 'Ada Formername', email: 's7654321x@uni.example' })
  const ben = await createUser(test)
  const named = await createNote(test, ada, { title: 'Formername week 1' })
  await rename(ada, { name: 'Ada Lovelace' })
  await rename(ada, { name: 'Ada King' })
  await inTransaction(test.deps.db, (tx) => changeEmail(tx, ada.id, 'ada.king@uni.example'))
  const title = 'Lovelace, Formername, s7654321x week 1'
  const edit = { title, courseCode: 'MAT137', academicYear: '2025–26', isAnonymous: true }
  const edited = await patch(test, `/api/users/me/notes/${named}`, edit, ada.auth)
  expect(edited.json()).toMatchObject({ title: 'week 1' })
  expect((await readNote(ben, named)).title).toBe('week 1')
})

it.each([
  ['nothing', undefined, messages.fillAllFields],
  ['a blank name', { name: '  ' }, messages.fillAllFields],
  ['a name that is an object', { name: { $ne: '' } }, messages.fillAllFields],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, 'Use at most 100 characters.'],
])('refuses %s', async (_what, payload, message) => {
  const ada = await createUser(test)
  expectRefusal(await rename(ada, payload), 'invalid_input', message)
  expect(await getMe(ada)).toMatchObject({ name: ada.name })
})
