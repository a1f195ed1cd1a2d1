import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { composeDocument, type DocumentPlan } from '../compose.ts'
import { createRandom } from '../random.ts'
import { PagesUsedUp } from './flow.ts'
import { hands, registerFonts, symbols } from './fonts.ts'
import { createHandwrittenLook, notebookMargins } from './handwritten.ts'
import { drawBlock } from './look.ts'
import { createSlidesLook, slideMargins, slideSize } from './slides.ts'
import { createTypedLook } from './typed.ts'

const even = (margin: number) => ({ top: margin, right: margin, bottom: margin, left: margin })
/** The program that wrote it, and the paper's edges. */
const forms = {
  lecture: { creator: 'Writer', margins: even(66) },
  handwritten: { creator: 'Notebook', margins: notebookMargins },
  summary: { creator: 'Writer', margins: even(36) },
  problems: { creator: 'Writer', margins: even(66) },
  slides: { creator: 'Slides', margins: slideMargins },
}

/** Writes a document as a student would have: a real PDF, the same one for the same plan. */
export async function writePdf(plan: DocumentPlan): Promise<{ bytes: Uint8Array; pageCount: number }> {
  const { kind, title, owner, course, createdAt, maxPages } = plan
  const random = createRandom(plan.seed)
  const own = createRandom(`hand of ${owner}`)
  const { creator, margins } = forms[kind]
  const doc = new PDFDocument({
    size: kind === 'slides' ? slideSize : own.pick(['A4', 'A4', 'A4', 'LETTER']),
    margins,
    autoFirstPage: false,
    pdfVersion: '1.7',
    // Without dates of its own pdfkit takes the clock's.
    info: {
      Title: title,
      Author: owner,
      Subject: `${course.code} ${course.name}`,
      Creator: creator,
      Producer: 'Lectern',
      CreationDate: createdAt,
      ModDate: createdAt,
    },
  })
  const hand = own.pick(hands)
  await registerFonts(doc, [symbols, hand])
  let pageCount = 0
  doc.on('pageAdded', () => pageCount++)
  try {
    const foot = `${course.code} – ${course.name}`
    const look =
      kind === 'handwritten'
        ? createHandwrittenLook(doc, hand, own, random, maxPages)
        : kind === 'slides'
          ? createSlidesLook(doc, foot, random, maxPages)
          : createTypedLook(doc, plan, random)
    for (const block of composeDocument(plan, random)) drawBlock(look, block)
  } catch (error) {
    if (!(error instanceof PagesUsedUp)) throw error
  }
  doc.end()
  return { bytes: await buffer(doc), pageCount }
}
