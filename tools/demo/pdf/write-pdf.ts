import { deflateSync } from 'node:zlib'
import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import type { Course, Topic } from '../courses.ts'
import { createRandom, type Random } from '../random.ts'
import { type Block, type DrawnLook, drawBlock } from './blocks.ts'
import { white } from './canvas.ts'
import { composeLecture, composeProblems, composeSlides, composeSummary } from './compose.ts'
import { type FontShelf, openFonts } from './fonts.ts'
import { createHand } from './hand-font.ts'
import { createHandwrittenLook } from './looks/handwritten.ts'
import { createSlidesLook } from './looks/slides.ts'
import { createTypedLook } from './looks/typed.ts'
import type { TypedStyle } from './looks/typed-page.ts'
import { inks, markers, palettes, secondInks } from './palettes.ts'

export const documentKinds = ['lecture', 'handwritten', 'summary', 'problems', 'slides'] as const
export type DocumentKind = (typeof documentKinds)[number]

export type DocumentPlan = {
  kind: DocumentKind
  title: string
  course: Course
  /** What it is about, in order. */
  topics: Topic[]
  /** Named on the first page and in the metadata. Null for whoever does not sign. */
  author: string | null
  /** Named in the metadata in any case, as word processors do. */
  owner: string
  academicYear: string
  createdAt: Date
  maxPages: number
  /** Decides everything that is left open; one owner always has the same handwriting. */
  seed: string
}

const a4 = { width: 595, height: 842 }
const letter = { width: 612, height: 792 }

/** Writes a document as a student would have: a real PDF, the same one for the same plan. */
export async function writePdf(plan: DocumentPlan): Promise<{ bytes: Uint8Array; pageCount: number }> {
  const random = createRandom(plan.seed)
  const doc = await PDFDocument.create({ updateMetadata: false })
  const fonts = openFonts(doc)
  const { flow, paper } = drawDocument(plan, fonts, random)
  const pages = flow.pages()
  fonts.finish()
  const resources = doc.context.register(doc.context.obj({ Font: fonts.refs }))
  for (const description of pages) {
    const { node } = doc.addPage([paper.width, paper.height])
    const stream = doc.context.stream(deflateSync(Buffer.from(description, 'latin1')), { Filter: 'FlateDecode' })
    node.set(PDFName.of('Contents'), doc.context.register(stream))
    node.set(PDFName.of('Resources'), resources)
  }
  doc.setTitle(plan.title)
  doc.setAuthor(plan.owner)
  doc.setSubject(`${plan.course.code} ${plan.course.name}`)
  doc.setCreator(plan.kind === 'handwritten' ? 'Notebook' : plan.kind === 'slides' ? 'Slides' : 'Writer')
  doc.setCreationDate(plan.createdAt)
  doc.setModificationDate(plan.createdAt)
  return { bytes: await doc.save({ useObjectStreams: false, addDefaultPage: false }), pageCount: pages.length }
}

/** Where people live decides on their paper. */
const paperOf = ({ owner }: DocumentPlan) => (createRandom(`paper of ${owner}`).chance(0.75) ? a4 : letter)

function composeDocument(plan: DocumentPlan, random: Random): Block[] {
  const { kind, title, course, topics, author, academicYear } = plan
  const byline = [author, academicYear].filter(Boolean).join(', ')
  const head: Block = { kind: 'title', title, course: `${course.code} ${course.name}`, byline }
  if (kind === 'slides') return [head, ...composeSlides(topics, random)]
  if (kind === 'problems') return [head, ...composeProblems(topics, random, random.chance(0.75))]
  if (kind === 'summary') return [head, ...topics.flatMap((topic) => composeSummary(topic, random))]
  return [head, ...topics.flatMap((topic) => composeLecture(topic, random, topics.length === 1))]
}

function drawDocument(plan: DocumentPlan, fonts: FontShelf, random: Random): DrawnLook {
  const blocks = composeDocument(plan, random)
  if (plan.kind === 'handwritten') return drawBlocks(blocks, createNotebook(plan, fonts, random))
  const palette = random.pick(palettes)
  if (plan.kind === 'slides') {
    const foot = `${plan.course.code} – ${plan.course.name}`
    return drawBlocks(
      blocks,
      createSlidesLook({ ...palette, fonts: fonts.family('sans'), foot }, random, plan.maxPages),
    )
  }
  const style = typedStyle(plan, fonts, random, palette)
  if (plan.kind !== 'summary') return drawBlocks(blocks, createTypedLook(style, random, plan.maxPages))
  return drawToFill(blocks, style, random, plan.maxPages)
}

function drawBlocks(blocks: Block[], drawn: DrawnLook): DrawnLook {
  for (const block of blocks) {
    drawBlock(drawn.look, block)
    if (drawn.flow.isFull) break
  }
  return drawn
}

/** Whoever writes a summary takes the largest type with which it still fits. */
function drawToFill(blocks: Block[], style: TypedStyle, random: Random, maxPages: number): DrawnLook {
  const seed = String(random.next())
  for (let size = 11; ; size -= 0.4) {
    const drawn = drawBlocks(blocks, createTypedLook({ ...style, size }, createRandom(seed), 40))
    if (drawn.flow.pageNumber <= maxPages || size < 7.8) return drawn
  }
}

function createNotebook(plan: DocumentPlan, fonts: FontShelf, random: Random) {
  const own = createRandom(`hand of ${plan.owner}`)
  const hand = fonts.handwriting(createHand(own), own)
  const sheet = own.pick(['ruled', 'ruled', 'squared', 'dotted', 'plain'] as const)
  return createHandwrittenLook(
    {
      paper: paperOf(plan),
      sheet,
      sheetColor: sheet === 'dotted' ? [0.995, 0.985, 0.955] : white,
      hand,
      rule: own.between(20, 24),
      ink: own.pick(inks),
      red: own.pick(secondInks),
      marker: random.pick(markers),
    },
    random,
    plan.maxPages,
  )
}

function typedStyle(
  plan: DocumentPlan,
  fonts: FontShelf,
  random: Random,
  palette: (typeof palettes)[number],
): TypedStyle {
  const isSummary = plan.kind === 'summary'
  const isSerif = random.chance(isSummary ? 0.3 : 0.6)
  const body = fonts.family(isSerif ? 'serif' : 'sans')
  const paper = paperOf(plan)
  const isWide = isSummary && random.chance(0.35)
  return {
    paper: isWide ? { width: paper.height, height: paper.width } : paper,
    body,
    heading: isSerif && random.chance(0.5) ? fonts.family('sans') : body,
    size: isSerif ? random.between(10.5, 11.5) : random.between(9.8, 10.6),
    ...palette,
    columns: isSummary ? (isWide ? 3 : 2) : 1,
    margin: isSummary ? 36 : random.between(58, 76),
    titleStyle: isSummary
      ? random.pick(['banner', 'left'] as const)
      : random.pick(['centred', 'banner', 'left'] as const),
    sectionStyle: isSummary
      ? random.pick(['bar', 'bar', 'underlined'] as const)
      : random.pick(['numbered', 'numbered', 'underlined'] as const),
    boxed: random.chance(0.55),
    justify: isSerif && !isSummary,
    head: { left: `${plan.course.code} ${plan.course.name}`, right: plan.author ?? plan.title },
  }
}
