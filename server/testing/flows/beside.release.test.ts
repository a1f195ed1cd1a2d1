import { execFile } from 'node:child_process'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import type { NotePage, SearchPage } from '../../../packages/contract/search.ts'
import { createDatabase } from '../database.ts'
import { createPdfWithText } from '../pdf-kinds.ts'
import { logInAt, postTo, registerAt } from '../remote-users.ts'
import { startServerProcess } from '../server-process.ts'

const email = 'ada@uni.example'
const { RELEASE_TARBALL = '' } = process.env

test('a server of release 1.0.0 and one of this version share a database, files and sessions', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-release-'))
  const options = ['--global', '--prefix', folder.path, '--prefer-offline', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', ['install', ...options, RELEASE_TARBALL])
  const DATABASE_URL = await createDatabase(inject('postgresUrl'), 'lectern_release')
  const env = { DATABASE_URL, SECRET: 'a secret that both of the servers have' }
  const released = await startServerProcess(undefined, { env, installed: join(folder.path, 'bin/lectern') })
  const current = await startServerProcess(released.dataDir, { env: { ...env, PUBLIC_URL: released.url } })
  try {
    await registerAt(released, email)
    for (const [writer, reader] of [
      [released, current],
      [current, released],
    ] as const) {
      const token = await logInAt(writer, email)
      const headers = { authorization: `Bearer ${token}` }
      const get = (path: string) => fetch(reader.url + path, { headers })
      const word = writer === released ? 'isomorphism' : 'homomorphism'
      const form = new FormData()
      const pdf = new File([new Uint8Array(createPdfWithText(word))], `${word}.pdf`, { type: 'application/pdf' })
      for (const [name, value] of Object.entries({ courseCode: 'MAT137', academicYear: '2025–26', note: pdf }))
        form.append(name, value)
      await postTo(writer, '/api/notes', form, token)
      const { notes } = (await (await get('/api/notes')).json()) as NotePage
      expect(notes[0]?.title).toBe(word)
      const file = await get(`/api/notes/${notes[0]?._id}/view`)
      expect((await file.text()).slice(0, 5)).toBe('%PDF-')
      const search = async () => (await (await get(`/api/search?text=${word}`)).json()) as SearchPage
      await expect.poll(async () => (await search()).hits[0]?.snippets.length).toBe(1)
    }
  } finally {
    await current.interrupt()
    await released.stop()
  }
})
