import { fileURLToPath } from 'node:url'

/** Where `npm run build` puts the pages. */
export const pagesFolder = fileURLToPath(new URL('../../dist/web/', import.meta.url))
