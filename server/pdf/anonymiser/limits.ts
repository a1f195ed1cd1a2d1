/** Of a file to anonymise. */
export const maxPages = 5_000
/** Pages of an anonymised file whose drawing is compared with the original's; of all others the size is. */
export const maxComparedPages = 200
/** Objects in an anonymised file; a 1,000-page book has some 20,000. */
export const maxObjects = 500_000
/** One page description, font map or the like, decoded. */
export const maxTextStreamBytes = 48 * 1024 * 1024
/** An anonymised file. Pages that share a description get one each, so it can be larger than the original. */
export const maxRewrittenBytes = 64 * 1024 * 1024
/** All streams of a file together, decoded. */
export const maxDecodedBytes = 1024 * 1024 * 1024
