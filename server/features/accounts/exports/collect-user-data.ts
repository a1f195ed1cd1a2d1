import type { Note } from '../../../../packages/contract/notes.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { nilId, type Viewer } from '../../../platform/db/viewer.ts'
import { listPasskeys } from '../../auth/passkeys/passkeys.ts'
import { listSessions } from '../../auth/sessions/sessions.ts'
import { describeTwoFactor } from '../../auth/two-factor/two-factor.ts'
import { listFollowedCourses } from '../../courses/courses.ts'
import { listOwnMatters } from '../../moderation/moderation.ts'
import { listOwnReports } from '../../moderation/reports/reports.ts'
import { listPositions } from '../../notes/reading-progress/reading-progress.ts'
import { findNotesById } from '../../notes/visible-notes.ts'
import { findOwnDailyMb } from '../../uploads/documents/upload-quota.ts'
import { getProfile } from '../profile/profile.ts'
import { getUser } from '../users/users.ts'

/** Everything of a student but their own notes, as it stands in the JSON they take along. */
export async function collectUserData(db: Db, viewer: Viewer) {
  const { name, email, role, createdAt, formerWords } = await getUser(db, viewer.id)
  const { likedNotes, dislikedNotes, recentlyViewedNotes } = await getProfile(db, viewer)
  const { courses, mails } = await listFollowedCourses(db, viewer)
  const dailyMb = await findOwnDailyMb(db, viewer.id)
  const positions = new Map((await listPositions(db, viewer)).map((position) => [position.noteId, position]))
  const sessions = await listSessions(db, viewer.id, nilId)
  const passkeys = await listPasskeys(db, viewer)
  const reports = await listOwnReports(db, viewer)
  const matters = await listOwnMatters(db, viewer)
  const twoFactor = await describeTwoFactor(db, viewer)
  return {
    account: {
      name,
      email,
      role,
      registeredAt: createdAt.toISOString(),
      // Of former names and addresses Lectern keeps their words alone, to take them out of titles.
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

/** Who wrote it is not this student's to take along: it may be an anonymous note tomorrow. */
const ofOthers = ({ _id, title, courseCode, academicYear }: Note) => ({ _id, title, courseCode, academicYear })
