import { readFileSync } from 'node:fs'
import { ConfigError } from '../server/config.ts'
import { incomplete } from '../server/start/incomplete.ts'
import { complain } from '../server/start/process.ts'

/** `lectern <command>`: everything there is to start, by one name. */
const usage = `
  Lectern, a place for students to share study notes.

  lectern start     serves on http://localhost:3000, or as the environment says
  lectern worker    does the jobs of other servers, and serves health alone
  lectern admin     backup, restore and other things an operator does now and then
  lectern demo      serves a library that is filled, to look around in

  lectern COMMAND --help says more about each, lectern --version which version this is.
  Settings are environment variables; docs/configuration.md lists them.

`

const helps: Record<string, string> = {
  start: `
  lectern start

  Serves pages and API on HOST:PORT (127.0.0.1:3000), with everything it keeps in DATA_DIR (./data): an embedded
  PostgreSQL, unless DATABASE_URL names another one, and the files. Ctrl+C or SIGTERM ends it in order.

`,
  worker: `
  lectern worker

  The same as lectern start with ROLE=worker: mails, sweeps, text and pictures of notes for servers with ROLE=web.
  Needs the DATABASE_URL, SECRET, PUBLIC_URL and DATA_DIR of those.

`,
  demo: `
  lectern demo

  Serves a library of ./data/demo (or DATA_DIR), which is filled the first time, and prints a login for it.

`,
}

async function runCommand([name, ...rest]: string[]): Promise<void> {
  const wantsHelp = rest.includes('--help') || rest.includes('-h')
  const help = name === undefined ? undefined : helps[name]
  if (name === 'admin') return (await import('./admin.ts')).runAdmin(rest)
  if (name === '--version') {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    process.stdout.write(`${version}\n`)
  } else if (name === '--help' || name === '-h' || name === 'help') process.stdout.write(usage)
  else if (help && wantsHelp) process.stdout.write(help)
  else if (!help || rest.length > 0) {
    process.stderr.write(help ?? usage)
    process.exitCode = 2
  } else if (name === 'demo') await (await import('./demo.ts')).runDemo(process.env)
  else {
    const { run } = await import('../server/main.ts')
    await run(name === 'worker' ? { ...process.env, ROLE: 'worker' } : process.env)
  }
}

// The server looks for the option itself.
const given = process.argv.slice(2).filter((argument) => !argument.startsWith('--end-with-parent'))
runCommand(given).catch(async (error) => {
  const { reportAndExit } = await import('../server/main.ts').catch(({ message }: Error) => {
    complain(incomplete(message.split('\n')[0] ?? '').message)
    process.exit(ConfigError.exitStatus)
  })
  reportAndExit(error)
})
