import { pino } from 'pino'

/** Logs nothing unless TEST_LOG sets a level. */
export const quietLog = pino({ level: process.env.TEST_LOG ?? 'silent' })

/** Returns an output for commands, and what they write to it. */
export function recordOutput() {
  const said: string[] = []
  return { said, out: { isTTY: false, write: (text: string) => said.push(text) > 0 } }
}

/** Returns a log of this level, and the lines that it writes. */
export function recordLog(level: 'trace' | 'debug' | 'info' | 'warn') {
  const lines: string[] = []
  return { lines, log: pino({ level }, { write: (line: string) => void lines.push(line) }) }
}
