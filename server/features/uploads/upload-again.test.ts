import { describe, expect } from 'vitest'
import { createUser, itWithUsers, openTestApp, type TestUser } from '../../testing/app.ts'
import { field, file, goodFields, upload } from '../../testing/form.ts'
import { createPdfWithText } from '../../testing/pdf-kinds.ts'
import { expectRefusal } from '../../testing/refusal.ts'
import { expectNoOrphanedFilesAfterSweep } from '../../testing/storage-assertions.ts'
import { post, remove } from '../../testing/students.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const { db } = test.deps
const contents = ['Eigenvalues', 'Divergence'].map((text) => createPdfWithText(text))

const share = (user: TestUser, batch: string, position = 0, files = contents, isAnonymous = false) =>
  upload(test, user, [
    ...goodFields,
    field('batch', batch),
    field('position', String(position)),
    field('isAnonymous', String(isAnonymous)),
    ...files.map((content) => file(content)),
  ])
const settle = async (user: TestUser, batch: string, position = 0) =>
  (await post(test, '/api/users/me/uploads/settle', { batch, position }, user.auth)).json().note
const notesOf = ({ id }: TestUser) => db.selectFrom('notes').select('id').where('user_id', '=', id).execute()

describe('an upload with a batch and a position that is sent again', () => {
  it.each([false, true])(
    'is shared once, also at the same moment, and answered alike (anonymous: %s)',
    async (isAnonymous) => {
      const [user, other] = [await createUser(test), await createUser(test)]
      const batch = crypto.randomUUID()
      const [first, second] = await Promise.all([1, 2].map(() => share(user, batch, 0, contents, isAnonymous)))
      const third = await share(user, batch, 0, contents, isAnonymous)
      for (const answer of [first, second, third]) {
        expect(answer?.statusCode).toBe(201)
        expect(answer?.json()).toEqual(first?.json())
      }
      expect(await notesOf(user)).toHaveLength(2)
      // Another position or another student makes a different upload.
      expect((await share(user, batch, 2)).statusCode).toBe(201)
      expect((await share(other, batch)).statusCode).toBe(201)
      expect([await notesOf(user), await notesOf(other)].map(({ length }) => length)).toEqual([4, 2])
      await expectNoOrphanedFilesAfterSweep(test)
    },
  )

  it('is not shared again after it was deleted', async ({ user }) => {
    const batch = crypto.randomUUID()
    const { notes } = (await share(user, batch)).json<{ notes: { _id: string }[] }>()
    for (const { _id } of notes) await remove(test, `/api/users/me/notes/${_id}`, user.auth)
    expectRefusal(await share(user, batch), 'upload_key_used')
    expect(await notesOf(user)).toEqual([])
    await expectNoOrphanedFilesAfterSweep(test)
  })

  it('is refused with another file', async ({ user }) => {
    const batch = crypto.randomUUID()
    await share(user, batch)
    for (const files of [contents.toReversed(), [...contents, ...contents]]) {
      expectRefusal(await share(user, batch, 0, files), 'upload_key_used')
    }
    expect(await notesOf(user)).toHaveLength(2)
  })
})

describe('POST /api/users/me/uploads/settle', () => {
  it('answers the note of a file, or refuses the file from then on', async ({ user, other }) => {
    const batch = crypto.randomUUID()
    const { notes } = (await share(user, batch)).json()
    expect(await settle(user, batch, 1)).toEqual(notes[1])
    expect(await settle(other, batch, 1)).toBeNull()
    expect(await settle(user, batch, 2)).toBeNull()
    expect(await settle(user, batch, 2)).toBeNull()
    expectRefusal(await share(user, batch, 2), 'upload_key_used')
    expect(await notesOf(user)).toHaveLength(2)
    await expectNoOrphanedFilesAfterSweep(test)
  })

  it('stays true for an upload in progress', async ({ user }) => {
    for (let round = 0; round < 10; round++) {
      const batch = crypto.randomUUID()
      const before = (await notesOf(user)).length
      const upload = share(user, batch, 0, contents.slice(0, 1))
      const settled = await settle(user, batch)
      const answer = await upload
      if (settled === null) expectRefusal(answer, 'upload_key_used')
      else expect(answer.json().notes).toEqual([settled])
      expect((await notesOf(user)).length - before).toBe(settled === null ? 0 : 1)
    }
  })
})
