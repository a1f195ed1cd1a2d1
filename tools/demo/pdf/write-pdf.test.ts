import { PDFiumLibrary } from '@hyzyla/pdfium'
import { expect, it } from 'vitest'
import { anonymisePdf } from '../../../server/pdf/anonymiser/anonymise.ts'
import { inspectPdf } from '../../../server/pdf/inspect.ts'
import { type DocumentPlan, documentKinds } from '../compose.ts'
import { courses } from '../courses.ts'
import { phraseText } from '../phrases.ts'
import { hands, latin, openFont, symbols } from './fonts.ts'
import { writePdf } from './write-pdf.ts'

const [course] = courses
if (!course) throw new Error('There are no courses')
const plan: DocumentPlan = {
  kind: 'lecture',
  title: course.name,
  course,
  topics: course.topics.slice(0, 2),
  author: 'Łucja Müller-Şahin',
  owner: '佐藤 美咲',
  academicYear: '2025–26',
  createdAt: new Date('2026-03-04T05:06:07.000Z'),
  maxPages: 40,
  seed: 'a test',
}

it.each(documentKinds)('writes the same file for the same plan: %s', async (kind) => {
  const [first, second] = [await writePdf({ ...plan, kind }), await writePdf({ ...plan, kind })]
  expect(Buffer.compare(first.bytes, second.bytes)).toBe(0)
})

it('keeps to the number of pages', async () => {
  for (const kind of documentKinds) {
    const { bytes, pageCount } = await writePdf({ ...plan, kind, maxPages: 2 })
    expect(pageCount, kind).toBeLessThanOrEqual(2)
    expect(await inspectPdf(bytes), kind).toEqual({ kind: 'ok', pageCount })
  }
})

it.each(documentKinds)('writes pages whose text can be found, anonymised too: %s', async (kind) => {
  const topics = [{ ...plan.topics[0], formulas: ['∑_{i=1}^n x_i² ≤ ∫ ‖∇f‖ dx', 'x̄ ∈ ℝ'] }] as typeof plan.topics
  const { bytes, pageCount } = await writePdf({ ...plan, topics, kind })
  const written = await readText(bytes)
  for (const { term } of topics[0]?.definitions ?? []) expect(written.toLowerCase()).toContain(term.toLowerCase())
  if (kind !== 'problems') for (const sign of '∑x≤∫‖∇∈ℝ') expect(written).toContain(sign)

  const copy = await anonymisePdf(bytes)
  if (!copy) throw new Error('The anonymiser refuses the file')
  expect(copy.drawnPages).toEqual([])
  expect(await inspectPdf(copy.bytes)).toEqual({ kind: 'ok', pageCount })
  expect(await readText(copy.bytes)).toBe(written)
})

it.each([symbols, ...hands])('has a letter for everything that is written: %s', async (name) => {
  const font = await openFont(name)
  const characters = JSON.stringify(courses) + phraseText.split('# students')[0]
  const needed = [...new Set(characters.normalize('NFKD'))].filter((one) => latin.test(one) === (name !== symbols))
  expect(needed.filter((one) => one > ' ' && !font.hasGlyphForCodePoint(one.codePointAt(0) ?? 0))).toEqual([])
})

async function readText(bytes: Uint8Array): Promise<string> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(Buffer.from(bytes))
  const pages = [...document.pages()].map((page) => page.getText())
  document.destroy()
  library.destroy()
  return pages.join('\n').replace(/\s+/g, ' ')
}
