import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { notesResponse } from '../../../packages/contract/notes.ts'
import { readConfig } from '../../config.ts'
import { openStorage } from '../../platform/storage/open-storage.ts'
import { filesEnv } from '../database.ts'
import { onePagePdf } from '../pdf.ts'
import { logInAt, makeNoteForm, registerAt } from '../remote-users.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'
import { listStored } from '../storage-assertions.ts'

const email = 'ada@uni.example'

/** The acknowledged notes: the id and the hash of the uploaded bytes. */
type Acknowledged = Map<string, string>
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Uploads one file after another until `until` returns true. */
async function uploadUntil(server: ServerProcess, token: string, acknowledged: Acknowledged, until: () => boolean) {
  while (!until()) {
    // Readers ignore bytes after the end of a PDF, so every file can be different and of a certain size.
    const bytes = Buffer.concat([onePagePdf, randomBytes(200_000)])
    const headers = { authorization: `Bearer ${token}` }
    try {
      const response = await fetch(`${server.url}/api/notes`, { method: 'POST', headers, body: makeNoteForm(bytes) })
      if (response.status === 201) {
        const { notes } = notesResponse.parse(await response.json())
        for (const note of notes) acknowledged.set(note._id, sha256(bytes))
      }
    } catch {
      // The client cannot know whether the upload was stored; both outcomes are correct.
    }
  }
}

async function listStoredKeys({ dataDir, env }: ServerProcess): Promise<string[]> {
  const config = readConfig({ DATA_DIR: dataDir, ...env })
  const { files, incoming } = await listStored({ deps: { config, files: await openStorage(config) } })
  return [...files, ...incoming]
}

/** Every acknowledged note is intact to the byte, and every note has its file. */
async function expectNothingLost(server: ServerProcess, acknowledged: Acknowledged) {
  const token = await logInAt(server, email)
  const read = (id: string) =>
    fetch(`${server.url}/api/notes/${id}/view`, { headers: { authorization: `Bearer ${token}` } })
  const client = await server.connectToDatabase()
  try {
    const { rows } = await client.query<{ id: string; sha256: string }>(
      `SELECT notes.id, encode(sha256, 'hex') AS sha256 FROM notes JOIN documents ON documents.id = document_id`,
    )
    expect(rows.map((row) => row.id)).toEqual(expect.arrayContaining([...acknowledged.keys()]))
    for (const row of rows) {
      const response = await read(row.id)
      expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(acknowledged.get(row.id) ?? row.sha256)
    }
  } finally {
    await client.end()
  }
}

/** Disables document processing, which has a test of its own and would compete with the uploads and the sweep. */
async function leaveDocumentsUnread(server: ServerProcess) {
  const client = await server.connectToDatabase()
  const defaults = `ALTER COLUMN text_state SET DEFAULT 'done', ALTER COLUMN thumbnail_state SET DEFAULT 'done'`
  await client.query(`ALTER TABLE documents ${defaults}`)
  await client.end()
}

/** Lets the leases expire, and expects that the sweep leaves no file without a note and no partial file. */
async function expectNoOrphans(server: ServerProcess) {
  const client = await server.connectToDatabase()
  try {
    await client.query('UPDATE file_deletions SET delete_after = now()')
    const listNoted = async () => {
      const { rows } = await client.query<{ file_key: string }>(
        `SELECT file_key FROM notes JOIN documents ON documents.id = document_id
          UNION ALL SELECT unnest(ARRAY[small_file_key, large_file_key]) FROM thumbnails`,
      )
      return rows.map((row) => row.file_key).sort()
    }
    // The sweep runs every minute; enqueuing one saves the wait.
    await client.query(`INSERT INTO pgboss.job (name, data) VALUES ('sweep-files', '{}')`)
    const compare = async () => {
      const [stored, noted] = [await listStoredKeys(server), new Set(await listNoted())]
      return { unclaimed: stored.filter((key) => !noted.has(key)), missing: noted.difference(new Set(stored)).size }
    }
    await expect.poll(compare, { timeout: 60_000, interval: 200 }).toEqual({ unclaimed: [], missing: 0 })
    // A reservation is deleted after its file, so the last rows may remain for a moment.
    await expect.poll(async () => (await client.query('SELECT FROM file_deletions')).rowCount).toBe(0)
  } finally {
    await client.end()
  }
}

/** Returns the process id of PostgreSQL, or null if it is not running. */
const findPostmaster = ({ dataDir }: ServerProcess): Promise<string | null> =>
  readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n')[0] || null,
    () => null,
  )

it('loses nothing acknowledged and keeps nothing half when the server or PostgreSQL is killed during uploads', async () => {
  let server = await startServerProcess(undefined, { env: await filesEnv() })
  const acknowledged: Acknowledged = new Map()
  try {
    await registerAt(server, email)
    await leaveDocumentsUnread(server)
    // Each round begins a little later in the uploads.
    const duringUploads = async (round: number, act: () => Promise<void>) => {
      const before = acknowledged.size
      let isOver = false
      const uploads = [1, 2, 3].map(async () =>
        uploadUntil(server, await logInAt(server, email), acknowledged, () => isOver),
      )
      await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 2 * round)
      await act()
      isOver = true
      await Promise.all(uploads)
    }
    for (const round of [0, 1, 2]) {
      await duringUploads(round, () => server.kill())
      server = await startServerProcess(server.dataDir, { env: server.env })
      await expectNothingLost(server, acknowledged)
    }
    for (const round of [0, 1]) {
      await duringUploads(round, async () => {
        const killed = await findPostmaster(server)
        if (!killed) throw new Error('PostgreSQL does not run')
        process.kill(Number(killed), 'SIGKILL')
        // PostgreSQL is restarted automatically. Only uploads after that count, because some of its processes can
        // outlive the kill.
        await expect.poll(() => findPostmaster(server).then((pid) => ![killed, null].includes(pid))).toBe(true)
        const atRestart = acknowledged.size
        await expect.poll(() => acknowledged.size).toBeGreaterThan(atRestart + 3)
      })
      expect(server.process.exitCode).toBeNull()
      await expectNothingLost(server, acknowledged)
    }
    await expectNoOrphans(server)
  } finally {
    await server.stop()
  }
}, 300_000)

it('makes text and pictures of notes although the server is killed in the middle of it', async () => {
  let server = await startServerProcess(undefined, { env: await filesEnv() })
  try {
    await registerAt(server, email)
    const acknowledged: Acknowledged = new Map()
    await uploadUntil(server, await logInAt(server, email), acknowledged, () => acknowledged.size === 4)
    await server.kill()
    server = await startServerProcess(server.dataDir, { env: server.env })
    const client = await server.connectToDatabase()
    const countStates = async () => {
      const states = 'SELECT text_state AS text, thumbnail_state AS picture, count(*)::int FROM documents GROUP BY 1, 2'
      return (await client.query(states)).rows
    }
    // The jobs of a killed server are only taken over after a timeout.
    const timeout = 120_000
    await expect.poll(countStates, { timeout }).toEqual([{ text: 'done', picture: 'done', count: 4 }])
    await client.end()
    await expectNoOrphans(server)
  } finally {
    await server.stop()
  }
}, 300_000)
