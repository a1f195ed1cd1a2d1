import { pino } from 'pino'

/** Logs nothing unless TEST_LOG sets a level. */
export const quietLog = pino({ level: process.env.TEST_LOG ?? 'silent' })

/** Returns a log of this level, and the lines that it writes. */
export function recordLog(level: 'trace' | 'debug' | 'info' | 'warn') {
  const lines: string[] = []
  return { lines, log: pino({ level }, { write: (line: string) => void lines.push(line) }) }
}
