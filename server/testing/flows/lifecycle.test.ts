import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { notesResponse } from '../../../packages/contract/notes.ts'
import { makeDataFolder, removeDataFolder } from '../data-folder.ts'
import { onePagePdf } from '../pdf.ts'
import { logInAt, makeNoteForm, postTo, registerAt } from '../remote-users.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'

const admin = fileURLToPath(new URL('../../operations/admin.ts', import.meta.url))
const email = 'ada@uni.example'

async function upload(server: ServerProcess): Promise<string> {
  const answer = await postTo(server, '/api/notes', makeNoteForm(onePagePdf), await logInAt(server, email))
  return notesResponse.parse(answer).notes[0]?._id ?? ''
}

async function view(server: ServerProcess, id: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${await logInAt(server, email)}` }
  return Buffer.from(await (await fetch(`${server.url}/api/notes/${id}/view`, { headers })).arrayBuffer())
}

const runAdmin = (dataDir: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [admin, ...args], {
    env: { ...process.env, NODE_ENV: 'test', DATA_DIR: dataDir },
  })

// Seven processes start one after another, most with a PostgreSQL, which takes long on a busy machine.
it('keeps a note over a kill, a stop, a backup and a restore elsewhere', { timeout: 300_000 }, async () => {
  const [dataDir, restored] = [await makeDataFolder(), await makeDataFolder()]
  let server = await startServerProcess(dataDir)
  await registerAt(server, email)
  const id = await upload(server)
  await server.kill()
  server = await startServerProcess(dataDir)
  expect(await view(server, id)).toEqual(Buffer.from(onePagePdf))
  const backup = join(dataDir, 'backup.tar')
  await runAdmin(dataDir, 'backup', backup)
  await Promise.all([server.interrupt(), runAdmin(restored, 'restore', backup)])
  expect(server.process.exitCode).toBe(0)
  const warnings = server.output().match(/^.*(?:WARN|ERROR).*$/gm) ?? []
  expect(warnings.filter((line) => !line.includes('that a killed Lectern left running'))).toEqual([])
  server = await startServerProcess(restored)
  await runAdmin(restored, 'verify')
  expect(await view(server, id)).toEqual(Buffer.from(onePagePdf))
  await server.stop()
  await removeDataFolder(dataDir)
})
