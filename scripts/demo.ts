import { ConfigError } from '../server/config.ts'
import { reportAndExit, run } from '../server/main.ts'
import { createProgress } from '../server/operations/admin/command-line.ts'
import { demoEmail, demoPassword, fillLibrary, hasDemoStudent } from './demo/fill-library.ts'

/** `npm run demo`: runs the server of `npm start` with a separate library, which the first start fills. */
export async function runDemo(env: NodeJS.ProcessEnv): Promise<void> {
  if (env.NODE_ENV === 'production') {
    throw new ConfigError(
      'The demo creates accounts with a public password, so it doesn’t run with NODE_ENV=production.',
    )
  }
  const { server, stopping } = await run({ ...env, DATA_DIR: env.DATA_DIR?.trim() || './data/demo' })
  const { deps } = server
  try {
    const onProgress = createProgress(process.stdout, 'Creating sample notes')
    const isNew = await fillLibrary(deps, { onProgress, signal: stopping })
    const isOurs = isNew || (await hasDemoStudent(deps.db))
    process.stdout.write(isOurs ? loginText(deps.config.publicUrl) : othersText)
  } catch (error) {
    // The server reports the stop itself. The next start fills the library again.
    if (!stopping.aborted) throw error
  }
}

const loginText = (publicUrl: string) => `
  Sample library ready. Log in at ${publicUrl}/login

      email      ${demoEmail}
      password   ${demoPassword}

`
const othersText = `
  This data folder already has notes, so no sample data was added. Set DATA_DIR to another folder.

`

if (import.meta.main) runDemo(process.env).catch((error) => reportAndExit(error))
