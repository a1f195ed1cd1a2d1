import { expect, it } from 'vitest'
import { anonymisePdf } from '../../packages/pdf-anonymiser/anonymise.ts'
import { readText } from '../../packages/pdfium/test/read-text.ts'
import { inspectPdf } from '../../server/platform/pdf/inspect.ts'
import { demoNotes, studentNames } from './notes.ts'
import { writePdf } from './write-pdf.ts'

/** Returns the words without markup. */
function wordsOf(markdown: string): string[] {
  const text = markdown.replace(/!\[(.*?)\]\(.*?\)/g, '$1').replace(/^[-:|]+$|^```$|^#+ |^- |\*+|\||`|\\/gm, ' ')
  return text.split(/\s+/).filter((word) => word !== '')
}

it('has 120 notes in 12 courses, in each look', () => {
  expect(demoNotes).toHaveLength(120)
  expect(new Set(demoNotes.map(({ course }) => course.code)).size).toBe(12)
  expect(new Set(demoNotes.map(({ look }) => look))).toEqual(new Set(['plain', 'slides', 'handwritten']))
  expect(new Set(demoNotes.map(({ file }) => file)).size).toBe(120)
})

/** Notes of eleven courses, in each look. The others differ only in their words. */
const sample = demoNotes.filter((_, index) => index % 11 === 0)

it.each(sample)('typesets all words of $file', async (note) => {
  const bytes = await writePdf(note)
  const pages = await readText(bytes)
  expect(await inspectPdf(bytes)).toEqual({ kind: 'ok', pageCount: pages.length })
  // Text is broken between words, and extraction may insert blanks into a formula.
  const written = pages.join('').replace(/\s+/g, '')
  for (const word of [...wordsOf(note.title), ...wordsOf(note.markdown)]) expect(written).toContain(word)
})

it('uses only characters that the fonts have', () => {
  const text = demoNotes.map(({ title, markdown }) => title + markdown).join('') + studentNames.join('')
  const others = new Set(text.match(/[^\n\x20-\x7e\xa0-\xffŒœš–—‘’“”•…€]/g))
  expect([...others].sort().join('')).toBe('ıŁΔαεθλμπστω←→∑−√∩∫≈≤')
})

it('keeps the text when a note is anonymised', async () => {
  for (const look of ['plain', 'slides', 'handwritten'] as const) {
    const bytes = await writePdf({ ...(demoNotes[20] ?? expect.fail()), look })
    const copy = await anonymisePdf(bytes)
    expect(copy?.drawnPages, look).toEqual([])
    expect(await readText(copy?.bytes ?? new Uint8Array())).toEqual(await readText(bytes))
  }
})

it('typesets the same note in three ways, and each time alike', async () => {
  const note = demoNotes[0] ?? expect.fail()
  const write = (look: typeof note.look) => writePdf({ ...note, look })
  const [plain, again, slides, handwritten] = await Promise.all([
    write('plain'),
    write('plain'),
    write('slides'),
    write('handwritten'),
  ])
  expect(again.equals(plain)).toBe(true)
  const form = (bytes: Buffer) =>
    [/MediaBox \[.*?\]/, /PatrickHand/].map((part) => part.exec(bytes.toString('latin1'))?.[0])
  expect(form(plain)).toEqual(['MediaBox [0 0 595 842]', undefined])
  expect(form(slides)).toEqual(['MediaBox [0 0 720 405]', undefined])
  expect(form(handwritten)).toEqual(['MediaBox [0 0 595 842]', 'PatrickHand'])
})
