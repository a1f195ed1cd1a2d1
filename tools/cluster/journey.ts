import { studentPassword } from '../caller.ts'
import { type Daemons, until } from '../debian/daemons.ts'
import { readMailedLink } from './lectern.ts'
import { type Book, Student } from './student.ts'

/** A student who is registered, verified by mail and logged in. */
export async function join(daemons: Daemons, url: string, name: string, book: Book): Promise<Student> {
  const student = new Student(url, `${name}@uni.example`, book)
  const account = { name, email: student.email, password: studentPassword, confirmPassword: studentPassword }
  await succeed(student.ask('POST', '/api/users/', account), 'a registration')
  const token = new URL(await readMailedLink(daemons, student.email)).searchParams.get('token')
  await succeed(student.ask('POST', '/api/users/verify', { token }), 'a verification')
  await student.logIn()
  return student
}

/** Everything once: what the specification promises a student, by its addresses. @throws where it is not so. */
export async function goThrough(author: Student, reader: Student, book: Book): Promise<string[]> {
  const done: string[] = []
  const see = async (what: string, isSo: boolean | Promise<boolean>) => {
    if (!(await isSo)) throw new Error(`Not so: ${what}`)
    done.push(what)
  }
  const listed = async (student: Student, path: string, id: string) => {
    const answer = await student.ask('GET', path)
    return answer?.status === 200 && JSON.stringify(answer.body).includes(`"_id":"${id}"`)
  }
  const id = (await author.upload()) ?? ''
  await see('a note is shared', id !== '')
  await see('it is listed', listed(reader, '/api/notes', id))
  await see('it is found by its course', listed(reader, '/api/notes?courseCode=mat%20137&title=week', id))
  await see(
    'it is found by the words on its pages',
    until('words are read', () => listed(reader, '/api/search?text=notes', id)),
  )
  await see('it reads as it was shared', (await reader.compare(id)) === true)
  await reader.like(id)
  await see('it is among the liked', listed(reader, '/api/users/me/notes/liked', id))
  await see(
    'it is recently viewed',
    (await reader.ask('PATCH', '/api/users/me', { recentlyViewedNotes: [id] }))?.status === 200,
  )
  const change = { courseCode: 'PHY100', academicYear: '2025–26', isAnonymous: false }
  await see('its author edits it', (await author.ask('PATCH', `/api/users/me/notes/${id}`, change))?.status === 200)
  await see('nobody else does', (await reader.ask('PATCH', `/api/users/me/notes/${id}`, change, [404]))?.status === 404)
  await author.remove(id)
  await see('it is deleted', book.notes.get(id)?.isThere === false && (await reader.compare(id)) === true)
  return done
}

async function succeed(asking: ReturnType<Student['ask']>, what: string): Promise<void> {
  const answer = await asking
  if (!answer || answer.status >= 300) throw new Error(`No ${what}: ${answer?.status} ${JSON.stringify(answer?.body)}`)
}
