import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Note } from '../../contract/notes.ts'
import type { Viewer } from '../db/viewer.ts'
import type { Deps } from '../deps.ts'
import type { SpooledFile, SpoolFolder } from '../files/spool.ts'
import { listOwnNotes } from '../notes/notes.ts'
import { describeStudent } from './describe-student.ts'

/**
 * Writes what a student takes along: the files of their notes, and a JSON that says what they are. One file is open at a
 * time, and none is held in memory.
 */
export async function writeZip(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  viewer: Viewer,
  folder: SpoolFolder,
  signal: AbortSignal,
): Promise<SpooledFile> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const giveUp = (reason: unknown) => output.destroy(reason instanceof Error ? reason : new Error('given up'))
  const onAbort = () => giveUp(signal.reason)
  signal.addEventListener('abort', onAbort)
  zip.on('error', giveUp)

  async function fill() {
    const notes: object[] = []
    for (const { note, fileKey, bytes } of await listOwnNotes(db, viewer)) {
      signal.throwIfAborted()
      const content = await files.get(fileKey)
      const file = content && `notes/${nameFile(note)}`
      if (content && file) {
        // PDFs are compressed already.
        zip.addReadStream(content, file, { compress: false, size: bytes, mtime: new Date(note.createdAt) })
        await finished(content)
      }
      notes.push({ ...ownNote(note), file })
    }
    const told = { exportedAt: new Date().toISOString(), ...(await describeStudent(db, viewer)), notes }
    zip.addBuffer(Buffer.from(`${JSON.stringify(told, null, 2)}\n`), 'lectern.json')
    zip.end()
  }

  try {
    const [written] = await Promise.all([
      folder.write(output),
      fill().catch((error) => {
        giveUp(error)
        throw error
      }),
    ])
    return written
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

const ownNote = ({ document: _document, user: _user, ...note }: Note) => note

/** A name that every system can unpack, and no other note has. */
function nameFile({ _id, title }: Note): string {
  let safe = ''
  for (const character of title.replace(/[<>:"/\\|?*]/g, '_')) {
    if (Buffer.byteLength(safe + character) > maxNameBytes) break
    safe += character
  }
  return `${safe.replace(/[. ]+$/, '')} (${_id.slice(0, 8)}).pdf`
}

/** With the rest of it below the 255 that file systems take. */
const maxNameBytes = 200
