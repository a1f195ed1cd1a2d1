import { buildCodeIfStale } from './build-code.ts'
import { buildPagesIfStale } from './build-pages.ts'

/** Builds code and pages unless the last build had identical sources. Use `--smallest` for a package. */
buildCodeIfStale()
await buildPagesIfStale(process.argv.includes('--smallest'))
