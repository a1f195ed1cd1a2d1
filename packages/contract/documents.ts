import * as z from 'zod/mini'

/** 320 and 640 pixels wide. */
const thumbnailFiles = ['small.webp', 'large.webp'] as const
export type ThumbnailFile = (typeof thumbnailFiles)[number]

/** `key` is `note.document.thumbnail`. */
export const thumbnailParams = z.object({
  key: z.string().check(z.regex(/^[\w-]{1,64}$/, 'This is no key.')),
  file: z.enum(thumbnailFiles),
})
