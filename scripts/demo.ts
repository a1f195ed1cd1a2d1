import { ConfigError } from '../server/config.ts'
import { reportAndExit, run } from '../server/main.ts'
import { createProgress } from '../server/operations/admin/progress.ts'
import { demoEmail, demoPassword, fillLibrary, hasDemoStudent } from './demo/fill-library.ts'

/** `npm run demo`: runs the server of `npm start` with a separate library, which the first start fills. */
export async function runDemo(env: NodeJS.ProcessEnv): Promise<void> {
  if (env.NODE_ENV === 'production') {
    throw new ConfigError(
      'The demo creates accounts with a published password. It does not run with NODE_ENV=production.',
    )
  }
  const { server, stopping } = await run({ ...env, DATA_DIR: env.DATA_DIR?.trim() || './data/demo' })
  const { deps } = server
  try {
    const onProgress = createProgress(process.stdout, 'Filling the library with notes')
    const isNew = await fillLibrary(deps, { onProgress, signal: stopping })
    const isOurs = isNew || (await hasDemoStudent(deps.db))
    process.stdout.write(isOurs ? loginText(deps.config.publicUrl) : othersText)
  } catch (error) {
    // The server reports the stop itself. The next start fills the library again.
    if (!stopping.aborted) throw error
  }
}

const loginText = (publicUrl: string) => `
  The library is filled. Log in at ${publicUrl}/login

      e-mail     ${demoEmail}
      password   ${demoPassword}

`
const othersText = `
  This library contains other notes, so nothing was added. Set DATA_DIR to another folder for a demo.

`

if (import.meta.main) runDemo(process.env).catch((error) => reportAndExit(error))
