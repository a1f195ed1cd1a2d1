import { foldCourseCode } from '../../packages/contract/course-code.ts'

/** Blank and missing values are omitted. */
export function queryString(values: Record<string, string | undefined> = {}): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/** All addresses of the app. List addresses accept a search string such as `?title=algebra`. */

const withSearch = (path: string, search = '') =>
  search === '' || search.startsWith('?') ? path + search : `${path}?${search}`

export const home = () => '/'
/** A login link keeps the address to return to, except for the home page. */
const withNext = (path: string, next = '/') => (next === '/' ? path : `${path}?next=${encodeURIComponent(next)}`)
export const login = (next?: string) => withNext('/login', next)
export const register = (next?: string) => withNext('/register', next)
/** The target of an invitation. */
export const invitation = (token: string) => `/register?invitation=${encodeURIComponent(token)}`
export const forgotPassword = (next?: string) => withNext('/forgot-password', next)
export const resetPassword = () => '/reset-password'
export const browse = (search?: string) => withSearch('/browse', search)
export const likedNotes = (search?: string) => withSearch('/liked-notes', search)
export const myNotes = (search?: string) => withSearch('/my-notes', search)
/**
 * The reader.
 * @param page the page to open, from 1; @param find the words to highlight, as typed into the search field; @param
 * quote the literal text to highlight; @param panel the open tab of the drawer.
 */
export function note(
  id: string,
  { page, find, quote, panel }: { page?: number | undefined; find?: string; quote?: string; panel?: string } = {},
): string {
  return `/notes/${id}${queryString({ page: page?.toString(), find, quote, panel })}`
}
/** The notes that a user shared by name. */
export const person = (id: string) => `/people/${id}`
export const courses = () => '/courses'
/** One address per course, for all spellings of its code. */
export const course = (code: string, search?: string) =>
  withSearch(`/courses/${encodeURIComponent(foldCourseCode(code))}`, search)
/** The link in mails about courses; also an API path (`packages/contract/courses.endpoints.ts`). */
export const unsubscribe = () => '/unsubscribe'
export const upload = () => '/upload'
export const rules = () => '/rules'
/** What “anonymous” means. */
export const anonymity = () => '/anonymity'
/** Also open to people without an account. */
export const copyright = () => '/copyright'
/** Only for admins; others get 404. */
export const admin = () => '/admin'
/** Only for moderators; others get 404. @param noteId shows only that note. */
export const moderation = (noteId?: string) => (noteId === undefined ? '/moderation' : `/moderation?note=${noteId}`)
/** The moderators' decisions, for all users. */
export const decisions = () => '/decisions'
export const profile = () => '/profile'
export const settings = () => '/settings'
/** The only page of a suspended user. */
export const suspended = () => '/suspended'
/** The "This was not me" link in mails about an account. */
export const notMe = () => '/not-me'
export const confirmEmail = () => '/confirm-email'
export const verify = () => '/verify'
export const verifySuccess = () => '/verify/success'
export const verifyExpired = () => '/verify/expired'
export const verifyInvalid = () => '/verify/invalid'
export const verifyInternalError = () => '/verify/internal-error'

/**
 * The address to open after a login. Only paths of this site are accepted, so that a crafted link cannot send a student
 * elsewhere. All others, and the login page itself, become the home page.
 */
export function safeNext(next: string | null | undefined, origin: string): string {
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return home()
  const url = new URL(next, origin)
  if (url.origin !== origin || url.pathname === '/login') return home()
  // `/x/..//evil.example` normalises to `//evil.example`, which browsers treat as another host.
  return url.pathname.startsWith('//') ? home() : url.pathname + url.search + url.hash
}
