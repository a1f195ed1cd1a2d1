import type { Note } from '../../../../packages/contract/notes.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { nilId, type Viewer } from '../../../platform/db/viewer.ts'
import { listPasskeys } from '../../auth/passkeys/passkeys.ts'
import { listSessions } from '../../auth/sessions/sessions.ts'
import { describeTwoFactor } from '../../auth/two-factor/two-factor.ts'
import { listFollowedCourses } from '../../courses/courses.ts'
import { listOwnModerationCases } from '../../moderation/moderation.ts'
import { listOwnReports } from '../../moderation/reports/reports.ts'
import { listPositions } from '../../notes/reading-progress/reading-progress.ts'
import { findNotesById } from '../../notes/visible-notes.ts'
import { findOwnDailyMb } from '../../uploads/documents/upload-quota.ts'
import { getProfile } from '../profile/profile.ts'
import { getUser } from '../users/users.ts'

/** Collects everything of a user except their own notes, in the shape of the exported JSON. */
export async function collectUserData(db: Db, viewer: Viewer) {
  const { name, email, role, createdAt, formerWords } = await getUser(db, viewer.id)
  const { likedNotes, dislikedNotes, recentlyViewedNotes } = await getProfile(db, viewer)
  const { courses, mails } = await listFollowedCourses(db, viewer)
  const dailyMb = await findOwnDailyMb(db, viewer.id)
  const positions = new Map((await listPositions(db, viewer)).map((position) => [position.noteId, position]))
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
    readingPositions: (await findNotesById(db, viewer, [...positions.keys()])).map((note) => {
      const { page, readAt } = positions.get(note._id) ?? {}
      return { ...ofOthers(note), page, readAt }
    }),
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
