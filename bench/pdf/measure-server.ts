import { setTimeout as delay } from 'node:timers/promises'
import type { Note } from '../../contract/notes.ts'
import type { ChildServer } from '../child-server.ts'
import { benchEmails, benchPassword } from '../fill-database.ts'
import { measureByTurns } from '../measure.ts'
import { makeHostileFiles, makeTextFile } from './make-files.ts'

const slices = 8
const sliceMs = 2_000

export async function logIn(server: ChildServer): Promise<{ authorization: string }> {
  const response = await fetch(`${server.origin}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: benchEmails[0], password: benchPassword }),
  })
  return { authorization: `Bearer ${((await response.json()) as { accessToken: string }).accessToken}` }
}

/** Shares one file. */
export async function upload(server: ChildServer, headers: { authorization: string }, content: Buffer): Promise<Note> {
  const form = new FormData()
  for (const [name, value] of Object.entries({ courseCode: 'MAT137', academicYear: '2025–26' })) form.set(name, value)
  form.set('note', new Blob([new Uint8Array(content)], { type: 'application/pdf' }), 'week 1.pdf')
  const response = await fetch(`${server.origin}/api/notes`, { method: 'POST', headers, body: form })
  if (response.status !== 201) throw new Error(`An upload was answered ${response.status}: ${await response.text()}`)
  const [note] = ((await response.json()) as { notes: Note[] }).notes
  if (!note) throw new Error('An upload made no note')
  return note
}

/** Seconds from sending a note of 20 pages to its text and its picture being there, each time. */
export async function measureUploads(server: ChildServer, times: number): Promise<number[]> {
  const headers = await logIn(server)
  const seconds: number[] = []
  for (let done = 0; done < times; done++) {
    const content = makeTextFile(20)
    const startedAt = performance.now()
    let note = await upload(server, headers, content)
    while (note.document.isProcessing) {
      await delay(20)
      note = (await (await fetch(`${server.origin}/api/notes/${note._id}`, { headers })).json()) as Note
    }
    seconds.push((performance.now() - startedAt) / 1000)
  }
  return seconds.sort((a, b) => a - b)
}

/** Browsing with nothing else going on, and while the server reads files made to hang it and to eat its memory. */
export async function measureBrowsing(server: ChildServer) {
  const headers = await logIn(server)
  const target = { url: `${server.origin}/api/notes`, connections: 2, headers }
  const [idle] = await measureByTurns([target], slices, sliceMs)
  for (const file of Object.values(await makeHostileFiles())) await upload(server, headers, file)
  // Until the jobs have begun with them.
  await delay(3_000)
  const [beside] = await measureByTurns([target], slices, sliceMs)
  if (!idle || !beside) throw new Error('Browsing was not measured')
  return { idle, beside }
}
