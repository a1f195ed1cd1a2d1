import * as paths from '../../platform/paths.ts'

/** A course code as it may be repeated to a visitor: an address is anybody's to write. */
const plainCourseCode = /^[\p{L}\p{N}][\p{L}\p{N} -]{0,15}$/u

const pages: Record<string, string> = {
  [paths.browse()]: 'to browse notes',
  [paths.courses()]: 'to see the courses',
  [paths.likedNotes()]: 'to see the notes you like',
  [paths.myNotes()]: 'to see your notes',
  [paths.upload()]: 'to share notes',
  [paths.profile()]: 'to see your profile',
}

/**
 * What a login is for: "to read this note". Made of the address alone, so it tells nothing of what is there, nor whether
 * anything is. Null where no page asked for it.
 * @param next an address of this site.
 */
export function getLoginReason(next: string): string | null {
  const { pathname, searchParams } = new URL(next, 'https://lectern.invalid')
  if (pathname.startsWith(paths.note(''))) return 'to read this note'
  if (pathname.startsWith(paths.person(''))) return 'to see what this author shares'
  const courseCode = courseOf(pathname, searchParams).trim().toUpperCase()
  if (plainCourseCode.test(courseCode)) return `to see the notes of ${courseCode}`
  return pages[pathname] ?? null
}

/** The course that a list, or the page of one, is about; empty for none. */
function courseOf(pathname: string, searchParams: URLSearchParams): string {
  if (pathname === paths.browse()) return searchParams.get('courseCode') ?? ''
  return pathname.startsWith(`${paths.courses()}/`) ? decode(pathname.slice(paths.courses().length + 1)) : ''
}

/** Anybody may write an address: one that says nothing is about no course. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}
