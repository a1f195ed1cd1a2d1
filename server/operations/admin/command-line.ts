import { parseArgs } from 'node:util'
import type { Config } from '../../config.ts'
import type { Log } from '../../platform/observability/log.ts'

/** Where a command prints; `isTTY` is set for a terminal. */
export type Output = { write(text: string): unknown; isTTY?: boolean }
export type Context = { config: Config; log: Log; signal: AbortSignal }
/** Resolves to whether the command succeeded; otherwise it has printed the reason. */
export type Run = (context: Context) => Promise<boolean>

/** For each option what its value is called, or null for a switch, and its help. */
type Options = { readonly [name: string]: readonly [value: string | null, help: string] }
type Values<O extends Options> = { [Name in keyof O]?: O[Name][0] extends null ? boolean : string }

type Command<O extends Options> = {
  /** Words in lower case are typed as they are, words in capitals are arguments; those in brackets can be left out. */
  usage: string
  help: string
  options?: O
  run(given: string[], values: Values<O>): Run
}
export type AdminCommand = Command<Options>

/** Gives `run` the types of the options. */
export const defineCommand = <const O extends Options>(command: Command<O>) => command as unknown as AdminCommand

/** The command line is not that of a command, or has a value that is out of range. Nothing was changed. */
export class UsageError extends Error {
  static readonly exitStatus = 2
  override name = 'UsageError'
}

const isLiteral = (word: string) => /^[a-z-]+$/.test(word)

/** @returns the arguments of the command, or null if the typed words belong to another command. */
function matchWords(usage: string, typed: string[]): string[] | null {
  const words = usage.split(' ')
  const needed = words.filter((word) => !word.startsWith('['))
  const most = usage.endsWith('...]') ? Number.POSITIVE_INFINITY : words.length
  if (typed.length < needed.length || typed.length > most) return null
  if (words.some((word, index) => isLiteral(word) && word !== typed[index])) return null
  return typed.filter((_, index) => !isLiteral(words[index] ?? ''))
}

/** @throws UsageError */
export function readCommand(commands: AdminCommand[], args: string[]): Run {
  const options = Object.fromEntries(
    commands.flatMap((command) =>
      Object.entries(command.options ?? {}).map(([name, [value]]) => [
        name,
        { type: value === null ? ('boolean' as const) : ('string' as const) },
      ]),
    ),
  )
  const { positionals, values } = parse(args, options)
  for (const command of commands) {
    const given = matchWords(command.usage, positionals)
    const surplus = Object.keys(values).find((name) => !(name in (command.options ?? {})))
    if (given && surplus) throw new UsageError(`${command.usage} has no option --${surplus}.`)
    if (given) return command.run(given, values as Values<Options>)
  }
  const [first] = positionals
  const similar = commands.filter(({ usage }) => usage.split(' ')[0] === first)
  throw new UsageError(
    similar.length === 0
      ? 'Unknown command. For a list, run: lectern admin --help'
      : `Usage: ${similar.map(({ usage }) => `lectern admin ${usage}`).join(', or ')}.`,
  )
}

function parse(args: string[], options: Record<string, { type: 'boolean' | 'string' }>) {
  try {
    return parseArgs({ args, allowPositionals: true, options })
  } catch (error) {
    // An unknown option, or one without its value.
    throw error instanceof TypeError ? new UsageError(error.message) : error
  }
}

export function describeCommands(commands: AdminCommand[]): string {
  const line = (words: string, help: string) => `  ${words.padEnd(32)}  ${help}\n`
  const texts = commands.map(({ usage, help, options = {} }) => [
    line(usage, help),
    ...Object.entries(options).map(([name, [value, about]]) =>
      line(`  --${name}${value === null ? '' : ` ${value}`}`, about),
    ),
  ])
  return `
  Usage: lectern admin COMMAND
  Run it with the server’s environment variables. The server can run at the same time.

${texts.flat().join('')}
`
}

/** Returns a count with its noun: `1 file`, `2 files`. */
export const countOf = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`

const updateEveryMs = 100
/** Without a terminal every update adds a line, so there are fewer. */
const plainEveryMs = 5_000

/** Shows the progress of a long task: on a terminal in one line that is overwritten, elsewhere in a few lines. */
export function createProgress(stream: Output, task: string) {
  let shownAt = 0
  return (done: number, total: number): void => {
    const now = performance.now()
    const isLast = done === total
    if (!isLast && now - shownAt < (stream.isTTY ? updateEveryMs : plainEveryMs)) return
    shownAt = now
    const text = `  ${task} … ${done} of ${total}`
    stream.write(stream.isTTY ? `\r\u001b[K${text}${isLast ? '\n' : ''}` : `${text}\n`)
  }
}
