import { buildCodeIfStale, buildPagesIfStale } from '../scripts/build.ts'

/** `npm run bench -- lists`, `search`, `uploads` or `pages`; see bench/README.md. */
const [, , name = ''] = process.argv
if (!['lists', 'search', 'uploads', 'pages'].includes(name)) {
  process.stderr.write('npm run bench -- lists|search|uploads|pages [--quick] [--notes N] [--library DIR] [--peer]\n')
  process.exit(2)
}
buildCodeIfStale()
await buildPagesIfStale()
await import(name === 'pages' ? './web/pages.ts' : `./${name}.ts`)
