// @ts-check
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { code, isBuilt, pages, root } from './built.js'

/**
 * `npm start`: starts the server, and rebuilds what is out of date. The database is created while the pages are built.
 */
const hasCode = isBuilt(code)
const hasPages = isBuilt(pages)
if (!hasCode || !hasPages) process.stdout.write('Building the pages and preparing the database …\n')
const pagesBuilt = hasPages ? Promise.resolve() : build('pages')
// The server reports it as soon as it needs them.
pagesBuilt.catch(() => {})
if (!hasCode) await build('code')

// Built at this point, so the type checker does not find it.
const main = '../lib/server/main.js'
/** @type {typeof import('../server/main.ts')} */
const { reportAndExit, run } = await import(main)
await run(process.env, pagesBuilt).catch((error) => reportAndExit(error))

/**
 * Runs in a separate process, so that its memory is released.
 * @param {'code' | 'pages'} part
 * @returns {Promise<void>}
 */
function build(part) {
  const builder = fork(join(root, 'scripts/build.ts'), [part], { execArgv: [] })
  return new Promise((resolve, reject) => {
    builder.once('exit', (status) => (status === 0 ? resolve() : reject(new Error(`The ${part} could not be built.`))))
  })
}
