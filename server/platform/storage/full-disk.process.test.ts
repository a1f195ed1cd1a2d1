import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, mkdtemp, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { buildPdf } from '../../../packages/pdfium/test/build-pdf.ts'
import type { TestUser } from '../../testing/app.ts'
import { file, goodFields, makeForm } from '../../testing/form.ts'
import { pdfOfBytes } from '../../testing/pdf-kinds.ts'
import { createUsersAt, logInAt } from '../../testing/remote-users.ts'
import { startServerProcess } from '../../testing/server-process.ts'

const run = promisify(execFile)
const megabyte = 2 ** 20
const volume = await mkdtemp(join(tmpdir(), 'lectern-volume-'))
// Only root may mount, and not in every container.
const isMounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=1500m,mode=755', 'tmpfs', volume]).then(
  () => true,
  () => false,
)
if (!isMounted) process.stdout.write('Skipped: only root can mount a volume for this test.\n')
afterAll(async () => {
  if (isMounted) await run('umount', ['-l', volume])
  await rm(volume, { recursive: true })
})

const free = async () => {
  const { bavail, bsize } = await statfs(volume)
  return bavail * bsize
}
/** Returns a small PDF with 2 MB of different words. */
const wordy = (seed: number) => {
  const words = Array.from({ length: 250_000 }, (_, n) => ((n * 7919 + seed * 104_729) % 16_777_213).toString(36))
  const lines = Array.from({ length: 2_500 }, (_, n) => `(${words.slice(n * 100, n * 100 + 100).join(' ')}) Tj T*`)
  return buildPdf({ content: `BT /F1 1 Tf 1 TL 0 200 Td ${lines.join(' ')} ET` })
}

it.runIf(isMounted)(
  'two accounts that fill the volume get 507, PostgreSQL stays, and deleting makes room (G4)',
  { timeout: 600_000 },
  async () => {
    const server = await startServerProcess(join(volume, 'data'), { env: { MAX_UPLOAD_MB_PER_DAY: '100000' } })
    try {
      const users = await createUsersAt(server, 2)
      const call = (user: TestUser, method: string, path: string, form?: ReturnType<typeof makeForm>) =>
        fetch(`${server.url}${path}`, {
          method,
          headers: { ...user.auth, ...form?.headers },
          ...(form && { body: new Uint8Array(form.payload) }),
        })
      const reserve = join(server.dataDir, 'reserve')
      const hasReserve = () => existsSync(reserve)
      expect((await stat(reserve)).size).toBe(64 * megabyte)
      // One file fills most of the volume, because two students would take long.
      await writeFile(join(volume, 'ballast'), Buffer.alloc((await free()) - 400 * megabyte, 1))

      const shared: { user: TestUser; id: string }[] = []
      async function fill(user: TestUser, seed: number) {
        for (let count = 0; ; count++) {
          const content = count % 3 === 0 ? wordy(seed * 100 + count) : pdfOfBytes(10 * megabyte)
          const response = await call(user, 'POST', '/api/notes', makeForm([...goodFields, file(content)]))
          const body = (await response.json()) as { notes: { _id: string }[]; code?: string; message?: string }
          if (response.status === 507) return body
          expect(response.status).toBe(201)
          shared.push({ user, id: body.notes[0]?._id ?? '' })
        }
      }
      for (const refusal of await Promise.all(users.map(fill)))
        expect(refusal).toMatchObject({ code: 'storage_full', message: expect.stringContaining('disk space') })
      expect(await free()).toBeGreaterThan(150 * megabyte)
      expect(server.output()).not.toContain('PostgreSQL exited unexpectedly')

      const [user] = users as [TestUser]
      expect((await call(user, 'GET', '/api/users/me/notes')).status).toBe(200)
      await logInAt(server, user.email)
      for (const { user, id } of shared)
        expect((await call(user, 'DELETE', `/api/users/me/notes/${id}`)).status).toBe(204)
      const again = makeForm([...goodFields, file()])
      await expect
        .poll(async () => (await call(user, 'POST', '/api/notes', again)).status, { timeout: 120_000 })
        .toBe(201)

      // Files that Lectern does not control, such as those of another program, cost the reserve and not the database.
      // The sweep still deletes files of the deleted notes, so this writes on, in small steps to leave the released
      // space.
      await expect
        .poll(async () => {
          if (!hasReserve()) return false
          const bytes = Math.min((await free()) - 20 * megabyte, 16 * megabyte)
          if (bytes > 0) await appendFile(join(volume, 'other'), Buffer.alloc(bytes, 1))
          return true
        })
        .toBe(false)
      expect((await call(user, 'GET', '/api/users/me/notes')).status).toBe(200)
      expect(server.output()).not.toContain('PostgreSQL exited unexpectedly')
      for (const name of ['other', 'ballast']) await rm(join(volume, name))
      await expect.poll(hasReserve).toBe(true)
    } finally {
      await server.stop()
    }
  },
)
