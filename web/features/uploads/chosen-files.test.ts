import { expect, it } from 'vitest'
import { chooseFiles } from './chosen-files.ts'

const mb = 1024 * 1024
const limits = { maxFiles: 3, maxFileMb: 2 }
const tooMuch = 'You can only upload up to 3 files, each up to 2MB.'
const pdf = (name: string, size = 1000, type = 'application/pdf') => ({ name, size, type })
const names = (files: { name: string }[]) => files.map((file) => file.name)

it('choosing files silently ignores a file of the same name and size', () => {
  const { files, refusals } = chooseFiles([pdf('a.pdf')], [pdf('a.pdf'), pdf('b.pdf'), pdf('b.pdf')], limits)
  expect(names(files)).toEqual(['b.pdf'])
  expect(refusals).toEqual([])
  const full = [pdf('a.pdf'), pdf('b.pdf'), pdf('c.pdf')]
  expect(chooseFiles(full, [pdf('b.pdf')], limits)).toEqual({ files: [], refusals: [], rejectedFiles: [] })
  expect(chooseFiles([pdf('a.pdf', 1)], [pdf('a.pdf', 2)], limits).files).toHaveLength(1)
})

it('choosing files takes a file of exactly the limit and refuses one byte more', () => {
  const chosen = [pdf('fits.pdf', 2 * mb), pdf('over.pdf', 2 * mb + 1)]
  const { files, refusals, rejectedFiles } = chooseFiles([], chosen, limits)
  expect(names(files)).toEqual(['fits.pdf'])
  expect(refusals).toEqual([tooMuch])
  expect(rejectedFiles).toEqual(['over.pdf (2.1 MB, over the limit of 2 MB)'])
})

it('choosing files refuses what is not a PDF, by name', () => {
  const others = [pdf('notes.docx', 10, 'application/msword'), pdf('x.pdf', 10, 'text/html'), pdf('y.txt', 10, '')]
  const { files, refusals } = chooseFiles([], others, limits)
  expect(files).toEqual([])
  expect(refusals).toHaveLength(3)
  expect(refusals[0]).toBe('Only PDF files can be uploaded. “notes.docx” isn’t a readable PDF.')
  // Some systems report no type.
  expect(chooseFiles([], [pdf('SCAN.PDF', 10, '')], limits).files).toHaveLength(1)
})
