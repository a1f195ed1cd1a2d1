import { expect, it } from 'vitest'
import { noteEdit } from '../../contract/notes.ts'
import { uploadForm } from './upload-form.ts'

const typed = { courseCode: ' mat137 ', academicYear: '2026–27', instructor: '  ', isAnonymous: true }
const files = [new File(['%PDF-1.7 a'], 'a.pdf'), new File(['%PDF-1.7 b'], 'b.pdf')]

it('sends the course code in capitals, the checkbox as text and each file under the same name', () => {
  const form = uploadForm(noteEdit.parse({ ...typed, instructor: 'Dr. Vega' }), files)
  expect(form.get('courseCode')).toBe('MAT137')
  expect(form.get('academicYear')).toBe('2026–27')
  expect(form.get('instructor')).toBe('Dr. Vega')
  expect(form.get('isAnonymous')).toBe('true')
  expect(form.getAll('note').map((file) => (file as File).name)).toEqual(['a.pdf', 'b.pdf'])
})

it('leaves a blank instructor out', () => {
  expect(uploadForm(noteEdit.parse(typed), files).has('instructor')).toBe(false)
})

it('puts the files last', () => {
  expect([...uploadForm(noteEdit.parse(typed), files).keys()].at(-1)).toBe('note')
  expect([...uploadForm(noteEdit.parse(typed), files).keys()].indexOf('note')).toBe(3)
})
