import type { DocumentPlan } from '../compose.ts'
import type { Random } from '../random.ts'
import { Flow } from './flow.ts'
import { sans, serif } from './fonts.ts'
import { createLook, type Look } from './look.ts'
import { black, gray, palettes } from './palettes.ts'
import { type Doc, type Type, write } from './text.ts'

/** Notes from a word processor or a typesetter: lecture notes, problem sheets, summaries in columns. */
export function createTypedLook(doc: Doc, plan: DocumentPlan, random: Random): Look {
  const { kind, course, topics, maxPages } = plan
  const isSummary = kind === 'summary'
  const palette = random.pick(palettes)
  const body = random.chance(isSummary ? 0.3 : 0.6) ? serif : sans
  // Whoever writes a whole course on a sheet or two writes small.
  const size = (isSummary ? (topics.length > 1 ? 8.2 : 10) : random.between(9.8, 10.6)) + (body === serif ? 0.7 : 0)
  const leading = size * (isSummary ? 1.24 : 1.38)
  const head: Type = { family: body, size: 8.5, color: gray }

  function decorate(number: number) {
    const { width, height, margins } = doc.page
    write(doc, String(number), width / 2, height - margins.bottom / 2, head, { align: 0.5 })
    if (number === 1) return
    write(doc, `${course.code} ${course.name}`, margins.left, margins.top - 10, head)
    write(doc, plan.author ?? plan.title, width - margins.right, margins.top - 10, head, { align: 1 })
  }
  const flow = new Flow(doc, { columns: isSummary ? 2 : 1, maxPages, decorate })
  return createLook({
    ...palette,
    flow,
    base: { family: body, size, leading, color: black },
    family: random.pick([body, sans]),
    random,
    hasBars: random.chance(isSummary ? 0.7 : 0.3),
    hasBoxes: !isSummary && random.chance(0.6),
    gap: leading * (isSummary ? 0.3 : 0.5),
  })
}
