import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Note } from '../../../../packages/contract/notes.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { nilId, type Viewer } from '../../../platform/db/viewer.ts'
import type { SpoolFolder } from '../../../platform/storage/spool.ts'
import type { SpooledFile } from '../../../platform/storage/storage.ts'
import { listPasskeys } from '../../auth/passkeys/passkeys.ts'
import { listSessions } from '../../auth/sessions/sessions.ts'
import { describeTwoFactor } from '../../auth/two-factor/two-factor.ts'
import { listFollowedCourses } from '../../courses/courses.ts'
import { listOwnModerationCases } from '../../moderation/moderation.ts'
import { listOwnReports } from '../../moderation/reports/reports.ts'
import { listOwnNotes } from '../../notes/notes.ts'
import { listPositions } from '../../notes/reading-progress/reading-progress.ts'
import { findNotesById, joinNotes } from '../../notes/visible-notes.ts'
import { findOwnDailyMb } from '../../uploads/documents/upload-quota.ts'
import { getProfile } from '../profile/profile.ts'
import { getUser } from '../users/users.ts'

/**
 * Writes the files of the user's notes and a JSON that describes them and marks the damaged ones. It opens one file at
 * a time and holds none in memory.
 */
export async function writeZip(
  { db, files, space, log }: Pick<Deps, 'db' | 'files' | 'space' | 'log'>,
  viewer: Viewer,
  folder: SpoolFolder,
  signal: AbortSignal,
): Promise<SpooledFile> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const failing = new AbortController()
  const ending = AbortSignal.any([signal, failing.signal])
  function giveUp(error: unknown) {
    failing.abort(error)
    output.destroy(error as Error)
  }
  zip.on('error', giveUp)
  output.on('error', giveUp)

  async function addFile(content: Readable, name: string, mtime: Date): Promise<number> {
    const entry = new PassThrough()
    let bytes = 0
    content.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    // PDFs are compressed already.
    zip.addReadStream(entry, name, { compress: false, mtime })
    await pipeline(content, entry, { signal: ending })
    return bytes
  }

  async function fill() {
    const notes: object[] = []
    for (const { note, fileKey, bytes } of await listOwnNotes(db, viewer)) {
      ending.throwIfAborted()
      await space.assertFree()
      const content = await files.get(fileKey)
      const file = content && `notes/${nameFile(note)}`
      const isDamaged = content && file && (await addFile(content, file, new Date(note.createdAt))) !== bytes
      if (isDamaged) log.error({ fileKey }, 'A stored file doesn’t have the length in the database')
      notes.push({ ...ownNote(note), file, ...(isDamaged && { isDamaged }) })
    }
    const data = { exportedAt: new Date().toISOString(), ...(await collectUserData(db, viewer)), notes }
    zip.addBuffer(Buffer.from(`${JSON.stringify(data, null, 2)}\n`), 'lectern.json')
    zip.end()
  }

  const parts = [folder.write(output), fill()] as const
  try {
    return (await Promise.all(parts))[0]
  } catch (error) {
    giveUp(error)
    await Promise.allSettled(parts)
    throw error
  }
}

const ownNote = ({ document: _document, user: _user, version: _version, ...note }: Note) => note

/** Returns a name that every operating system can unpack and that is unique in the ZIP. */
function nameFile({ _id, title }: Note): string {
  let safe = ''
  for (const character of title.replace(/[<>:"/\\|?*]/g, '_')) {
    if (Buffer.byteLength(safe + character) > maxNameBytes) break
    safe += character
  }
  return `${safe.replace(/[. ]+$/, '')} (${_id.slice(0, 8)}).pdf`
}

/** The complete name stays below the limit of 255 bytes of file systems. */
const maxNameBytes = 200

/** Collects everything of a user except their own notes, in the shape of the exported JSON. */
export async function collectUserData(db: Db, viewer: Viewer) {
  const { name, email, role, createdAt, formerWords } = await getUser(db, viewer.id)
  const { likedNotes, dislikedNotes, recentlyViewedNotes } = await getProfile(db, viewer)
  const { courses, mails } = await listFollowedCourses(db, viewer)
  const dailyMb = await findOwnDailyMb(db, viewer.id)
  const positions = await joinNotes(db, viewer, await listPositions(db, viewer))
  const sessions = await listSessions(db, viewer.id, nilId)
  const passkeys = await listPasskeys(db, viewer)
  const reports = await listOwnReports(db, viewer)
  const matters = await listOwnModerationCases(db, viewer)
  const twoFactor = await describeTwoFactor(db, viewer)
  return {
    account: {
      name,
      email,
      role,
      registeredAt: createdAt.toISOString(),
      // Lectern stores only the words of former names and addresses, to remove them from titles.
      wordsOfFormerNames: formerWords,
      ...(dailyMb !== null && { uploadMbPerDay: dailyMb }),
    },
    devices: sessions.map(({ device, startedAt, lastUsedAt }) => ({ device, startedAt, lastUsedAt })),
    passkeys: passkeys.map(({ _id, ...rest }) => rest),
    twoFactorSince: twoFactor?.since ?? null,
    likedNotes: (await findNotesById(db, viewer, likedNotes)).map(ofOthers),
    dislikedNotes: (await findNotesById(db, viewer, dislikedNotes)).map(ofOthers),
    recentlyViewedNotes: recentlyViewedNotes.map(ofOthers),
    readingPositions: positions.map(({ note, page, readAt }) => ({ ...ofOthers(note), page, readAt })),
    followedCourses: courses.map(({ courseCode, name }) => ({ courseCode, name })),
    mailsAboutCourses: mails,
    reports,
    fromTheModerators: matters.map(({ note, questions, objection }) => ({
      ...ofOthers(note),
      ...(note.hidden && { hidden: note.hidden }),
      questions: questions.map(({ id, ...question }) => question),
      ...(objection && { objection }),
    })),
  }
}

/** The export omits the author, because the note may become anonymous later. */
const ofOthers = ({ _id, title, courseCode, academicYear }: Note) => ({ _id, title, courseCode, academicYear })
