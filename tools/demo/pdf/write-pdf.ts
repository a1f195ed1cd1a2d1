import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { type Block, composeDocument, type DocumentPlan } from '../compose.ts'
import { createRandom, type Random } from '../random.ts'
import { PagesUsedUp } from './flow.ts'
import { hands, registerFonts, sans, serif, symbols } from './fonts.ts'
import { createHandwrittenLook } from './handwritten.ts'
import { drawBlock, type Look } from './look.ts'
import { inks, markers, palettes, secondInks } from './palettes.ts'
import { createSlidesLook, slideSize } from './slides.ts'
import type { Doc } from './text.ts'
import { createTypedLook, type TypedStyle } from './typed.ts'

const paperSizes = ['A4', 'A4', 'A4', 'LETTER']
const creators = { lecture: 'Writer', handwritten: 'Notebook', summary: 'Writer', problems: 'Writer', slides: 'Slides' }

/** Writes a document as a student would have: a real PDF, the same one for the same plan. */
export async function writePdf(plan: DocumentPlan): Promise<{ bytes: Uint8Array; pageCount: number }> {
  const random = createRandom(plan.seed)
  const blocks = composeDocument(plan, random)
  const seed = String(random.next())
  // Whoever writes a summary takes the largest type with which it still fits.
  for (let size = 11; ; size -= 0.6) {
    const { doc, pageCount, isWhole } = await drawDocument(plan, blocks, createRandom(seed), size)
    if (isWhole || plan.kind !== 'summary' || size < 7.2) {
      doc.end()
      return { bytes: await buffer(doc), pageCount }
    }
  }
}

async function drawDocument(plan: DocumentPlan, blocks: Block[], random: Random, summarySize: number) {
  const own = createRandom(`hand of ${plan.owner}`)
  const isWide = plan.kind === 'summary' && random.chance(0.35)
  const { kind, title, owner, course, createdAt } = plan
  const doc = new PDFDocument({
    size: kind === 'slides' ? slideSize : own.pick(paperSizes),
    layout: isWide ? 'landscape' : 'portrait',
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7',
    // Without dates of its own pdfkit takes the clock's.
    info: {
      Title: title,
      Author: owner,
      Subject: `${course.code} ${course.name}`,
      Creator: creators[kind],
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
    const look = createLook(doc, plan, { random, own, hand, columns: isWide ? 3 : 2, summarySize })
    for (const block of blocks) drawBlock(look, block)
    return { doc, pageCount, isWhole: true }
  } catch (error) {
    if (!(error instanceof PagesUsedUp)) throw error
    return { doc, pageCount, isWhole: false }
  }
}

type Chosen = { random: Random; own: Random; hand: string; columns: number; summarySize: number }

function createLook(doc: Doc, plan: DocumentPlan, { random, own, hand, columns, summarySize }: Chosen): Look {
  const { kind, course, maxPages } = plan
  const isSummary = kind === 'summary'
  if (kind === 'handwritten') {
    const style = {
      hand,
      sheet: own.pick(['ruled', 'ruled', 'squared', 'dotted', 'plain'] as const),
      rule: own.between(20, 24),
      slant: own.between(-3, 7),
      ink: own.pick(inks),
      red: own.pick(secondInks),
      marker: random.pick(markers),
    }
    return createHandwrittenLook(doc, style, random, maxPages)
  }
  const palette = random.pick(palettes)
  if (kind === 'slides')
    return createSlidesLook(doc, { ...palette, foot: `${course.code} – ${course.name}` }, random, maxPages)
  const isSerif = random.chance(isSummary ? 0.3 : 0.6)
  const style: TypedStyle = {
    ...palette,
    body: isSerif ? serif : sans,
    heading: isSerif && random.chance(0.5) ? serif : sans,
    size: isSummary ? summarySize : isSerif ? random.between(10.5, 11.5) : random.between(9.8, 10.6),
    columns: isSummary ? columns : 1,
    margin: isSummary ? 36 : random.between(58, 76),
    title: random.pick(isSummary ? ['banner', 'left'] : ['centred', 'banner', 'left']),
    section: random.pick(isSummary ? ['bar', 'bar', 'underlined'] : ['numbered', 'numbered', 'underlined']),
    boxed: random.chance(0.55),
    justify: isSerif && !isSummary,
    head: [`${course.code} ${course.name}`, plan.author ?? plan.title],
  }
  return createTypedLook(doc, style, random, maxPages)
}
