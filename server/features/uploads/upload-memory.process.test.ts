import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { expect, it } from 'vitest'
import type { TestUser } from '../../testing/app.ts'
import { filesEnv } from '../../testing/database.ts'
import { file, goodFields, makeForm } from '../../testing/form.ts'
import { onePagePdf } from '../../testing/pdf.ts'
import { createUsersAt } from '../../testing/remote-users.ts'
import { startServerProcess } from '../../testing/server-process.ts'

const megabyte = 2 ** 20
const { payload, headers } = makeForm([
  ...goodFields,
  // Readers ignore bytes after the end of a PDF.
  file(Buffer.concat([onePagePdf, Buffer.alloc(25 * megabyte - onePagePdf.length - 1024, ' ')])),
])

/** @returns the status, or null for an upload that is aborted halfway. */
function upload(origin: string, user: TestUser, isAborted: boolean): Promise<number | null> {
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  const sending = request(`${origin}/api/notes`, {
    method: 'POST',
    headers: { ...headers, ...user.auth, 'content-length': payload.length },
    agent: false,
  })
  sending.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)))
  sending.on('error', (error) => (isAborted ? resolve(null) : reject(error)))
  if (isAborted) sending.write(payload.subarray(0, payload.length / 2), () => sending.destroy())
  else sending.end(payload)
  return promise
}

const readMemory = async (pid: number, name: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

it.runIf(existsSync('/proc/self/clear_refs'))(
  'forty uploads of 25 MB, half of them aborted, take at most 150 MB of memory (F3)',
  { timeout: 600_000 },
  async () => {
    const server = await startServerProcess(undefined, { env: await filesEnv() })
    try {
      const users = await createUsersAt(server, 20)
      const pid = server.process.pid ?? 0
      const idleBytes = await readMemory(pid, 'VmRSS')
      // This resets the peak memory of the process.
      await writeFile(`/proc/${pid}/clear_refs`, '5')
      const statuses = await Promise.all(
        users.flatMap((user) => [upload(server.url, user, false), upload(server.url, user, true)]),
      )
      expect(statuses).toEqual(users.flatMap(() => [201, null]))
      expect(((await readMemory(pid, 'VmHWM')) - idleBytes) / megabyte).toBeLessThan(150)
    } finally {
      await server.stop()
    }
  },
)
