import { expect, it } from 'vitest'
import { noteEdit } from '../../../packages/contract/notes.ts'
import { uploadForm } from './upload-items.ts'

const typed = {
  courseCode: ' mat137 ',
  academicYear: '2026–27',
  instructor: '  ',
  isAnonymous: true,
  title: ' Limits ',
}
const file = new File(['%PDF-1.7 a'], 'a.pdf')

it('sends the course code in capitals, the checkbox as text, and title and file last', () => {
  const form = uploadForm(noteEdit.parse({ ...typed, instructor: 'Dr. Vega' }), file)
  expect([...form].map(([name, value]) => [name, value instanceof File ? value.name : value])).toEqual([
    ['courseCode', 'MAT137'],
    ['academicYear', '2026–27'],
    ['instructor', 'Dr. Vega'],
    ['isAnonymous', 'true'],
    ['title', 'Limits'],
    ['note', 'a.pdf'],
  ])
})

it('shows the position of the file among those uploaded with it', () => {
  const form = uploadForm(noteEdit.parse(typed), file, { batch: 'b', position: 0 })
  expect([form.get('batch'), form.get('position')]).toEqual(['b', '0'])
})

it('leaves a blank instructor out', () => expect(uploadForm(noteEdit.parse(typed), file).has('instructor')).toBe(false))
