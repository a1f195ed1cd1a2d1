import { pageSize } from '../../contract/limits.ts'
import { type Call, multipart } from '../rows.ts'
import { emailSuffix } from './copy-rows.ts'

type Asked = Pick<Call, 'method' | 'path' | 'headers' | 'body'>
type Filter = Record<string, unknown>
/** The note that has a file has this one. */
type Upload = { fileId: string; pdf: Buffer }

const noteFields = [
  ...['id', 'title', 'course_code', 'academic_year', 'instructor', 'is_anonymous', 'created_at', 'likes', 'dislikes'],
  ...['bytes', 'page_count', 'file', 'author.id', 'author.first_name'],
]

/** Whether the answer is notes. */
export const isList = ({ method, path }: Call) => method === undefined && /\/notes(\/liked)?(\?|$)/.test(path)

/** What asks Directus for the same as a call asks Lectern. */
export function askPeer(call: Call, upload: Upload): Call {
  const { next } = call
  if (next) return { ...call, next: () => translate({ ...call, ...next() }, upload) }
  return { ...call, ...translate(call, upload) }
}

/** @returns what is different. */
function translate({ method = 'GET', path = '', headers, body }: Partial<Asked>, { fileId, pdf }: Upload): Asked {
  const { pathname, searchParams: query } = new URL(path, 'http://lectern')
  const [, noteId = ''] = /^\/api\/notes\/([^/]+)\//.exec(pathname) ?? []
  const route = `${method} ${noteId ? pathname.replace(noteId, ':id') : pathname}`
  if (route === 'GET /api/notes') {
    const filter = { _and: conditionsOf(query) }
    return { path: listPath('notes', { fields: noteFields, filter, sort: orderOf(query) }) }
  }
  if (route === 'GET /api/users/me/notes/liked') {
    const fields = noteFields.map((field) => `note.${field}`)
    const filter = { user: { _eq: '$CURRENT_USER' }, liked: { _eq: true } }
    return {
      path: listPath('ratings', { fields, filter, sort: orderOf(query).map((key) => key.replace('-', '-note.')) }),
    }
  }
  if (route === 'GET /api/users/me') return { path: '/users/me?fields=id,first_name,email' }
  if (route === 'PATCH /api/notes/:id/rating') return rate(noteId, String(body))
  if (route === 'POST /api/users/login')
    return { path: '/auth/login', body: String(body).replace('.example', `.example${emailSuffix}`) }
  if (route === 'POST /api/notes') {
    const form = multipart({ title: 'A scan' }, 'file', pdf)
    return { path: '/files', headers: { ...headers, ...form.headers }, body: form.body }
  }
  if (route === 'GET /api/notes/:id/view') return { path: `/assets/${fileId}` }
  throw new Error(`Directus is not asked for ${route}`)
}

function listPath(collection: string, { fields, filter, sort }: { fields: string[]; filter: Filter; sort: string[] }) {
  const query = new URLSearchParams({
    fields: fields.join(),
    filter: JSON.stringify(filter),
    sort: sort.join(),
    // One more tells whether there are more.
    limit: String(pageSize + 1),
  })
  return `/items/${collection}?${query}`
}

function conditionsOf(query: URLSearchParams): Filter[] {
  const wordsOf = (name: string) => query.get(name)?.split(' ') ?? []
  const [code, year, after] = ['courseCode', 'academicYear', 'cursorValue'].map((name) => query.get(name))
  return [
    ...wordsOf('title').map((word) => ({ title: { _icontains: word } })),
    // A whole code has digits; letters alone are the beginning of one.
    ...(code ? [{ course_code: { [/\d/.test(code) ? '_eq' : '_istarts_with']: code } }] : []),
    ...(year ? [{ academic_year: { _eq: year } }] : []),
    ...wordsOf('instructor').map((word) => ({ instructor: { _icontains: word } })),
    // Directus compares no ids of this kind, so that a client that pages does it by the time alone.
    ...(after ? [{ created_at: { _lt: after } }] : []),
  ]
}

const orderOf = (query: URLSearchParams) => [query.get('sortBy') === 'likes' ? '-likes' : '-created_at', '-id']

/** The client chooses the key, so that it can take a like back without looking for it. */
function rate(noteId: string, body: string): Asked {
  const { likes } = JSON.parse(body) as { likes: '+' | '-' }
  if (likes === '-') return { method: 'DELETE', path: `/items/ratings/${noteId}`, body: undefined }
  return { method: 'POST', path: '/items/ratings', body: JSON.stringify({ id: noteId, note: noteId, liked: true }) }
}
