import * as z from 'zod/mini'
import { note } from './notes.ts'

/** Far beyond any document: what is larger is a mistake. */
const maxPage = 1_000_000

/** Where a student stopped reading a note: a page, from 1. */
export const readingPosition = z.object({ page: z.int().check(z.positive(), z.maximum(maxPage)) })
export type ReadingPosition = z.infer<typeof readingPosition>

/** Notes to go on with: what was read last, and where one stopped. What was read to its last page is not among them. */
export const maxNotesInProgress = 4
export const notesInProgress = z.object({
  reading: z.array(z.extend(readingPosition, { note })).check(z.maxLength(maxNotesInProgress)),
})
export type ContinuedNote = z.infer<typeof notesInProgress>['reading'][number]

/** `page`: from 1. */
export const ocrTextQuery = z.object({
  page: z.pipe(
    z.string().check(z.regex(/^[1-9]\d{0,5}$/)),
    z.transform((text) => Number(text)),
  ),
})
/** Words in the order they are read. `box`: left, top, width and height, in parts of the page as it is shown. */
export const ocrText = z.object({
  words: z.array(z.object({ text: z.string(), box: z.tuple([z.number(), z.number(), z.number(), z.number()]) })),
})
export type RecognisedText = z.infer<typeof ocrText>
