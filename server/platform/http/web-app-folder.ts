import { fileURLToPath } from 'node:url'

/** The folder into which `npm run build` writes the pages. Built code is one folder deeper, in `lib/`. */
const toRoot = import.meta.url.endsWith('.ts') ? '../../../' : '../../../../'
export const webAppFolder = fileURLToPath(new URL(`${toRoot}dist/web/`, import.meta.url))
