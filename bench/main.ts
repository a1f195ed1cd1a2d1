import { buildCodeIfStale, buildPagesIfStale } from '../scripts/build.ts'

/** `npm run bench -- lists`, `search`, `uploads` or `pages`; see bench/README.md. */
const files: Record<string, string> = {
  lists: './lists.ts',
  search: './search.ts',
  uploads: './uploads.ts',
  pages: './web/pages.ts',
}
const file = files[process.argv[2] ?? '']
if (file === undefined) {
  process.stderr.write('npm run bench -- lists|search|uploads|pages [--quick] [--notes N] [--library DIR] [--peer]\n')
  process.exit(2)
}
buildCodeIfStale()
await buildPagesIfStale()
await import(file)
