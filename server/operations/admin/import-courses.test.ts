import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openTestApp } from '../../testing/app.ts'
import { makeTestFolder } from '../../testing/data-folder.ts'
import { importCourses, readCourseList } from './import-courses.ts'

const read = (text: string) => readCourseList(Buffer.from(text)).courses

const problemsOf = (bytes: Uint8Array | string) => readCourseList(Buffer.from(bytes)).problems

it.each([
  ['plain', 'CSC108,Introduction to Programming\nMAT137,Calculus\n'],
  ['with a first line of names', 'Code, Name\nCSC108,Introduction to Programming\nMAT137,Calculus'],
  ['by semicolons', '\ufeffcode;name\r\nCSC108;Introduction to Programming\r\nMAT137;"Calculus"\r\n'],
  ['from a spreadsheet', '\ufeffcode,name\r\n"csc108","Introduction to Programming"\r\n\r\nmat137 , Calculus \r\n'],
])('a list of courses %s is read', (_kind, text) => {
  expect(read(text)).toEqual([
    { code: 'CSC108', name: 'Introduction to Programming' },
    { code: 'MAT137', name: 'Calculus' },
  ])
})

it('a list of courses has commas, quotes and letters of all kinds in names', () => {
  expect(read('PHL 100,"Plato, Kant ""et al."" – Ästhetik"\n')).toEqual([
    { code: 'PHL 100', name: 'Plato, Kant "et al." – Ästhetik' },
  ])
})

it('a list of courses is refused with all that is wrong, by line', () => {
  expect(
    problemsOf(`CSC108,One\nCSC109\nCSC110,a,b\n,Nameless\nCSC111,\n---,Lines\ncsc 108,Two\nCSC112,${'x'.repeat(151)}`),
  ).toEqual([
    'Line 2: expected 2 fields (code, name), found 1.',
    'Line 3: expected 2 fields (code, name), found 3.',
    'Line 4, code: Please fill in all required fields.',
    'Line 5, name: A course needs a name.',
    'Line 6, code: A course code needs at least one letter or digit.',
    'Line 7: CSC 108 is already on line 1.',
    'Line 8, name: Use at most 150 characters.',
  ])
})

it('a list of courses has no codes that grow when they are folded', () => {
  expect(problemsOf(`CSC108,One\n0NN${'ﷺ'.repeat(29)},Two`)).toEqual(['Line 2, code: Use at most 32 characters.'])
})

it.each([
  ['nothing', '', 'The file has no courses.'],
  ['names of columns alone', 'code,name\n', 'The file has no courses.'],
  ['Latin-1', Buffer.from('CSC108,Théorie', 'latin1'), 'The file isn’t UTF-8. Export it as “CSV UTF-8”.'],
  ['a quote that never ends', 'CSC108,"Intro\nMAT137,Calculus\n', /Quote Not Closed/],
])('a list of courses with %s is refused', (_what, bytes, problem) => {
  expect(problemsOf(bytes)).toEqual([typeof problem === 'string' ? problem : expect.stringMatching(problem)])
})

const test = await openTestApp()
const folder = await makeTestFolder()

/** @returns the output. */
async function run(text: string, replace = false): Promise<string> {
  const file = join(folder, 'courses.csv')
  await writeFile(file, text)
  const parts: string[] = []
  const out = { write: (part: string) => parts.push(part) > 0 }
  const isDone = await importCourses(test.deps.db, file, { replace }, out)
  const said = parts.join('')
  expect(isDone).toBe(!said.includes('Nothing was changed'))
  return said.trim().replace(file, 'courses.csv')
}
const list = () => test.deps.db.selectFrom('course_names').select(['code', 'name']).orderBy('course_key').execute()

it('lectern admin courses import adds and changes, removes the others if requested, and changes nothing for an invalid list', async () => {
  expect(await run('CSC108,Programming\nMAT137,Calculus')).toBe('2 courses read: 2 added, 0 changed, 0 removed.')
  expect(await run('csc-108,Programming\nPHY131,Physics\nMAT137,Calculus')).toBe(
    '3 courses read: 1 added, 1 changed, 0 removed.',
  )
  const listed = [
    { code: 'CSC-108', name: 'Programming' },
    { code: 'MAT137', name: 'Calculus' },
    { code: 'PHY131', name: 'Physics' },
  ]
  expect(await list()).toEqual(listed)
  expect(await run('CSC109,Fine\nbad', true)).toBe(
    'Nothing was changed: fix courses.csv first:\n  Line 2: expected 2 fields (code, name), found 1.',
  )
  expect(await list()).toEqual(listed)
  expect(await run('PHY131,Mechanics', true)).toBe('1 courses read: 0 added, 1 changed, 2 removed.')
  expect(await list()).toEqual([{ code: 'PHY131', name: 'Mechanics' }])
})

it('lectern admin courses import takes thousands', async () => {
  const many = Array.from({ length: 2_500 }, (_, at) => `MAN${at},Course ${at}`).join('\n')
  expect(await run(many, true)).toBe('2500 courses read: 2500 added, 0 changed, 1 removed.')
})
