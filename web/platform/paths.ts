import { foldCourseCode } from '../../packages/contract/course-code.ts'

/** Every address of the app, built in one place. List addresses accept a search string such as `?title=algebra`. */

const withSearch = (path: string, search = '') =>
  search === '' || search.startsWith('?') ? path + search : `${path}?${search}`

export const home = () => '/'
/** What leads to a login keeps the address to come back to after it; where that is the home page, it is left out. */
const withNext = (path: string, next = '/') => (next === '/' ? path : `${path}?next=${encodeURIComponent(next)}`)
export const login = (next?: string) => withNext('/login', next)
export const register = (next?: string) => withNext('/register', next)
/** What an invitation leads to. */
export const invitation = (token: string) => `/register?invitation=${encodeURIComponent(token)}`
export const forgotPassword = (next?: string) => withNext('/forgot-password', next)
export const resetPassword = () => '/reset-password'
export const browse = (search?: string) => withSearch('/browse', search)
export const likedNotes = (search?: string) => withSearch('/liked-notes', search)
export const myNotes = (search?: string) => withSearch('/my-notes', search)
/**
 * The reader.
 * @param page where it opens, from 1; @param find what to mark there, as typed into the search box; @param quote the same
 * as it stands on the page; @param panel what is open beside the pages.
 */
export function note(
  id: string,
  { page, find, quote, panel }: { page?: number | undefined; find?: string; quote?: string; panel?: string } = {},
): string {
  const params = new URLSearchParams()
  if (page !== undefined) params.set('page', String(page))
  if (find) params.set('find', find)
  if (quote) params.set('quote', quote)
  if (panel) params.set('panel', panel)
  return withSearch(`/notes/${id}`, params.toString())
}
/** What somebody shares by name. */
export const person = (id: string) => `/people/${id}`
export const courses = () => '/courses'
/** One address for a course, however its code is spelled. */
export const course = (code: string, search?: string) =>
  withSearch(`/courses/${encodeURIComponent(foldCourseCode(code))}`, search)
/** What mails about courses link to; it is the address of a call too (`packages/contract/courses.endpoints.ts`). */
export const unsubscribe = () => '/unsubscribe'
export const upload = () => '/upload'
export const rules = () => '/rules'
/** For people without an account, too. */
export const copyright = () => '/copyright'
/** Only for admins: to others there is nothing. */
export const admin = () => '/admin'
/** Only for moderators: to others there is nothing. @param noteId for that note alone. */
export const moderation = (noteId?: string) => (noteId === undefined ? '/moderation' : `/moderation?note=${noteId}`)
/** What moderators decided, for all members. */
export const decisions = () => '/decisions'
export const profile = () => '/profile'
export const settings = () => '/settings'
/** All that there is for who is suspended. */
export const suspended = () => '/suspended'
/** Where a mail about one’s account leads whoever did not do what it tells of. */
export const notMe = () => '/not-me'
export const confirmEmail = () => '/confirm-email'
export const verify = () => '/verify'
export const verifySuccess = () => '/verify/success'
export const verifyExpired = () => '/verify/expired'
export const verifyInvalid = () => '/verify/invalid'
export const verifyInternalError = () => '/verify/internal-error'

/**
 * The address a login goes back to: only a path of this site, so that a crafted link cannot send a student elsewhere.
 * Anything else, and the login page itself, becomes the home page.
 */
export function safeNext(next: string | null | undefined, origin: string): string {
  if (!next?.startsWith('/')) return home()
  const url = URL.parse(next, origin)
  if (url === null || url.origin !== origin || url.pathname === '/login') return home()
  // A path such as `/x/..//evil.example` normalises to `//evil.example`, which a browser reads as another host.
  return url.pathname.startsWith('//') ? home() : url.pathname + url.search + url.hash
}
