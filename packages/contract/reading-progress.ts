import * as z from 'zod/mini'
import { wholeNumber } from './fields.ts'
import { note } from './notes.ts'

/** Far more pages than any document has, so a larger number is a mistake. */
const maxPage = 1_000_000

/** The page at which a user stopped reading a note, from 1. */
export const readingPosition = z.object({ page: z.int().check(z.positive(), z.maximum(maxPage)) })
export type ReadingPosition = z.infer<typeof readingPosition>

/** Maximum number of notes to continue, the last read first. Notes read to the last page are not among them. */
export const maxNotesInProgress = 4
export const notesInProgress = z.object({
  reading: z.array(z.extend(readingPosition, { note })).check(z.maxLength(maxNotesInProgress)),
})
export type ContinuedNote = z.infer<typeof notesInProgress>['reading'][number]

/** `page` counts from 1. */
export const ocrTextQuery = z.object({ page: wholeNumber(/^[1-9]\d{0,5}$/) })
/** Words in reading order. `box` is left, top, width and height, as fractions of the displayed page. */
export const ocrText = z.object({
  words: z.array(z.object({ text: z.string(), box: z.tuple([z.number(), z.number(), z.number(), z.number()]) })),
})
export type OcrText = z.infer<typeof ocrText>
