import { expect, it } from 'vitest'
import { inspectPdf } from '../../../server/pdf/inspect.ts'
import { courses } from '../courses.ts'
import { type DocumentPlan, documentKinds, writePdf } from './write-pdf.ts'

const [course] = courses
if (!course) throw new Error('There are no courses')
const plan: DocumentPlan = {
  kind: 'lecture',
  title: course.name,
  course,
  topics: course.topics,
  author: 'Łucja Müller-Şahin',
  owner: '佐藤 美咲',
  academicYear: '2025–26',
  createdAt: new Date('2026-03-04T05:06:07.000Z'),
  maxPages: 40,
  seed: 'a test',
}

it('writes the same file for the same plan', async () => {
  for (const kind of documentKinds) {
    const [first, second] = [await writePdf({ ...plan, kind }), await writePdf({ ...plan, kind })]
    expect(Buffer.compare(first.bytes, second.bytes), kind).toBe(0)
  }
})

it('keeps to the number of pages', async () => {
  for (const kind of documentKinds) {
    const { bytes, pageCount } = await writePdf({ ...plan, kind, maxPages: 2 })
    expect(pageCount, kind).toBeLessThanOrEqual(2)
    expect(await inspectPdf(bytes), kind).toEqual({ kind: 'ok', pageCount })
  }
})

it.each(['lecture', 'handwritten'] as const)('can write every letter of every course: %s', async (kind) => {
  for (const each of courses) {
    const { pageCount } = await writePdf({ ...plan, kind, course: each, topics: each.topics })
    expect(pageCount).toBeGreaterThan(3)
  }
})
