import type { Note } from '../../packages/contract/notes.ts'
import type { User } from '../../packages/contract/profile.ts'

/** For tests: a note that is like any other but for `change`. */
export const testNote = (id: string, change: Partial<Note> = {}): Note => ({
  _id: id,
  title: `Note ${id}`,
  courseCode: 'CS101',
  academicYear: '2026–27',
  isAnonymous: false,
  user: null,
  createdAt: '2026-11-21T09:30:00.123Z',
  likes: 0,
  dislikes: 0,
  document: { bytes: 12_345, pageCount: 3, thumbnail: null, isProcessing: false },
  ...change,
})

/** The same of a student, who has no lists. */
export const testUser = (change: Partial<User> = {}): User => ({
  _id: '4f2c3c1e-7a53-4c59-9a4b-52d5c8a3c2f1',
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  likedNotes: [],
  dislikedNotes: [],
  recentlyViewedNotes: [],
  likedNotesDisplay: [],
  ...change,
})
