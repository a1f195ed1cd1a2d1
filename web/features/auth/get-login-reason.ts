import * as paths from '../../platform/paths.ts'

/** The course codes that may be shown to a visitor. Anyone can craft an address, so other text is ignored. */
const plainCourseCode = /^[\p{L}\p{N}][\p{L}\p{N} -]{0,15}$/u

const pages: Record<string, string> = {
  [paths.browse()]: 'to browse notes',
  [paths.courses()]: 'to browse courses',
  [paths.likedNotes()]: 'to see your liked notes',
  [paths.myNotes()]: 'to see your notes',
  [paths.upload()]: 'to upload notes',
  [paths.decisions()]: 'to read the moderation log',
  [paths.profile()]: 'to see your profile',
}

/**
 * The reason for a login: "to read this note". It depends on the address only, so it does not reveal whether the note
 * exists. Null if no page requested the login.
 * @param next an address of this site.
 */
export function getLoginReason(next: string): string | null {
  const { pathname, searchParams } = new URL(next, 'https://lectern.invalid')
  if (pathname.startsWith(paths.note(''))) return 'to read this note'
  if (pathname.startsWith(paths.person(''))) return 'to see this author’s notes'
  const courseCode = courseOf(pathname, searchParams).trim().toUpperCase()
  if (plainCourseCode.test(courseCode)) return `to see notes for ${courseCode}`
  return pages[pathname] ?? null
}

/** The course of a list or course page; empty for none. */
function courseOf(pathname: string, searchParams: URLSearchParams): string {
  if (pathname === paths.browse()) return searchParams.get('courseCode') ?? ''
  return pathname.startsWith(`${paths.courses()}/`) ? decode(pathname.slice(paths.courses().length + 1)) : ''
}

/** Anyone can craft an address; malformed escapes count as no course. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}
