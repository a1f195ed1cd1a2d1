import { readFileSync } from 'node:fs'
import { ConfigError } from '../server/config.ts'
import { incompleteInstallError } from '../server/operations/start/explain-start-error.ts'
import { printError } from '../server/operations/start/process.ts'

/** `lectern <command>`: starts every program of Lectern. */
const usage = `
  Lectern, a place for students to share study notes.

  lectern start     start the server (http://localhost:3000 and ./data by default)
  lectern worker    run background jobs for servers with ROLE=web, and answer health checks
  lectern admin     back up, restore, diagnose, manage accounts (lectern admin --help)
  lectern demo      start with sample data in ./data/demo and print a login

  lectern --version prints the version. Configured by environment variables: see docs/configuration.md.
  Press Ctrl+C or send SIGTERM to stop a server.

`

async function runCommand([name, ...rest]: string[]): Promise<void> {
  if (name === 'admin') return (await import('../server/operations/admin.ts')).runAdmin(rest)
  const wantsHelp = [name, ...rest].some((argument) => ['--help', '-h', 'help'].includes(argument ?? ''))
  if (name === '--version') {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    process.stdout.write(`${version}\n`)
  } else if (wantsHelp) process.stdout.write(usage)
  else if (rest.length === 0 && name === 'demo') await (await import('./demo.ts')).runDemo(process.env)
  else if (rest.length === 0 && (name === 'start' || name === 'worker')) {
    const { run } = await import('../server/main.ts')
    await run(name === 'worker' ? { ...process.env, ROLE: 'worker' } : process.env)
  } else {
    process.stderr.write(usage)
    process.exitCode = 2
  }
}

// The server reads this option itself.
const given = process.argv.slice(2).filter((argument) => !argument.startsWith('--end-with-parent'))
runCommand(given).catch(async (error) => {
  const { reportAndExit } = await import('../server/main.ts').catch(({ message }: Error) => {
    printError(incompleteInstallError(message.split('\n')[0] ?? '').message)
    process.exit(ConfigError.exitStatus)
  })
  reportAndExit(error)
})
