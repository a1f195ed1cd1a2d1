// @ts-check
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { code, isBuilt, pages, root } from './built.js'

/**
 * `npm start`: serves, and builds first what is not built from the present sources. The database is created meanwhile.
 */
if (isBuilt(code) && isBuilt(pages)) await serve(Promise.resolve())
else {
  process.stdout.write('Building the pages, and looking after the database …\n')
  const build = fork(join(root, 'tools/build-if-stale.ts'), { execArgv: [] })
  const built = new Promise((resolve, reject) => {
    build.once('exit', (status) =>
      status === 0 ? resolve(undefined) : reject(new Error('The pages could not be built.')),
    )
  })
  // It has said why.
  const failed = built.then(
    () => false,
    () => true,
  )
  const isThere = await Promise.race([new Promise((resolve) => build.once('message', () => resolve(true))), failed])
  if (isThere) await serve(built)
  else process.exitCode = 1
}

/** @param {Promise<unknown>} pagesBuilt */
async function serve(pagesBuilt) {
  // Built just now, and thus not there for the type checker.
  const main = '../lib/server/main.js'
  /** @type {typeof import('../server/main.ts')} */
  const { reportAndExit, run } = await import(main)
  await run(process.env, pagesBuilt).catch(reportAndExit)
}
