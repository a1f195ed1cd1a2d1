import { describe, expect, it } from 'vitest'
import { addFiles, progressOfFiles } from './chosen-files.ts'

const mb = 1024 * 1024
const limits = { maxFiles: 3, maxFileMb: 2 }
const tooMuch = 'You can only upload up to 3 files, each up to 2MB.'
const pdf = (name: string, size = 1000, type = 'application/pdf') => ({ name, size, type })
const names = (files: { name: string }[]) => files.map((file) => file.name)

describe('choosing files', () => {
  it('adds to what was chosen before', () => {
    const { files, refusals } = addFiles([pdf('a.pdf')], [pdf('b.pdf'), pdf('c.pdf')], limits)
    expect(names(files)).toEqual(['a.pdf', 'b.pdf', 'c.pdf'])
    expect(refusals).toEqual([])
  })

  it('silently ignores a file of the same name and size', () => {
    const { files, refusals } = addFiles([pdf('a.pdf')], [pdf('a.pdf'), pdf('b.pdf'), pdf('b.pdf')], limits)
    expect(names(files)).toEqual(['a.pdf', 'b.pdf'])
    expect(refusals).toEqual([])
  })

  it('ignores a duplicate even where the count is full', () => {
    const full = [pdf('a.pdf'), pdf('b.pdf'), pdf('c.pdf')]
    expect(addFiles(full, [pdf('b.pdf')], limits)).toEqual({ files: full, refusals: [] })
  })

  it('keeps two files of one name and different sizes', () => {
    expect(addFiles([pdf('a.pdf', 1)], [pdf('a.pdf', 2)], limits).files).toHaveLength(2)
  })

  it('takes a file of exactly the limit and refuses one byte more', () => {
    const { files, refusals } = addFiles([], [pdf('fits.pdf', 2 * mb), pdf('over.pdf', 2 * mb + 1)], limits)
    expect(names(files)).toEqual(['fits.pdf'])
    expect(refusals).toEqual([tooMuch])
  })

  it('refuses what is beyond the count and keeps the rest', () => {
    const { files, refusals } = addFiles(
      [],
      ['a', 'b', 'c', 'd', 'e'].map((name) => pdf(`${name}.pdf`)),
      limits,
    )
    expect(names(files)).toEqual(['a.pdf', 'b.pdf', 'c.pdf'])
    expect(refusals).toEqual([tooMuch])
  })

  it('refuses what is not a PDF, by name', () => {
    const others = [pdf('notes.docx', 10, 'application/msword'), pdf('x.pdf', 10, 'text/html'), pdf('y.txt', 10, '')]
    const { files, refusals } = addFiles([], others, limits)
    expect(files).toEqual([])
    expect(refusals).toHaveLength(3)
    expect(refusals[0]).toBe('Only PDF files can be uploaded. "notes.docx" is not a PDF that can be read.')
  })

  it('takes a PDF by its name where the system gives no type', () => {
    expect(addFiles([], [pdf('SCAN.PDF', 10, '')], limits).files).toHaveLength(1)
  })
})

describe('the progress of each file', () => {
  it('follows the bytes from file to file', () => {
    expect(progressOfFiles([100, 300], 0, 400)).toEqual([0, 0])
    expect(progressOfFiles([100, 300], 50, 400)).toEqual([0.5, 0])
    expect(progressOfFiles([100, 300], 250, 400)).toEqual([1, 0.5])
    expect(progressOfFiles([100, 300], 400, 400)).toEqual([1, 1])
  })

  it('ends at one with the frame of the request counted in', () => {
    expect(progressOfFiles([100, 300], 1400, 1400)).toEqual([1, 1])
    expect(progressOfFiles([0, 10], 20, 20)).toEqual([1, 1])
  })
})
