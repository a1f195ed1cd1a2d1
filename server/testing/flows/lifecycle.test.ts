import { join } from 'node:path'
import { expect, it } from 'vitest'
import { notesResponse } from '../../../packages/contract/notes.ts'
import { makeDataFolder, removeDataFolder } from '../data-folder.ts'
import { onePagePdf } from '../pdf.ts'
import { logInAt, makeNoteForm, postTo, registerAt } from '../remote-users.ts'
import { runAdmin, type ServerProcess, startServerProcess } from '../server-process.ts'

const email = 'ada@uni.example'

async function upload(server: ServerProcess): Promise<string> {
  const answer = await postTo(server, '/api/notes', makeNoteForm(onePagePdf), await logInAt(server, email))
  return notesResponse.parse(answer).notes[0]?._id ?? ''
}

async function view(server: ServerProcess, id: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${await logInAt(server, email)}` }
  return Buffer.from(await (await fetch(`${server.url}/api/notes/${id}/view`, { headers })).arrayBuffer())
}

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
  await runAdmin(['backup', backup], { DATA_DIR: dataDir })
  await Promise.all([server.interrupt(), runAdmin(['restore', backup], { DATA_DIR: restored })])
  expect(server.process.exitCode).toBe(0)
  const warnings = server.output().match(/^.*(?:WARN|ERROR).*$/gm) ?? []
  expect(warnings.filter((line) => !line.includes('that a killed Lectern left running'))).toEqual([])
  server = await startServerProcess(restored)
  await runAdmin(['verify'], { DATA_DIR: restored })
  expect(await view(server, id)).toEqual(Buffer.from(onePagePdf))
  await server.stop()
  await removeDataFolder(dataDir)
})
