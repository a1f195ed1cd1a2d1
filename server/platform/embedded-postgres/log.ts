import type { BaseLogger } from 'pino'

export type EmbeddedLog = Pick<BaseLogger, 'info' | 'warn' | 'error'>

/** PostgreSQL's `log_line_prefix` for `readServerLine`: backend type, SQLSTATE. */
export const logLinePrefix = '%b|%e|'

export type ServerLine = {
  text: string
  /** Null for lines without a backend type, such as those printed before the settings are read. */
  backend: string | null
  /** The level to forward the line with; null for lines to drop, such as failed queries, which their callers report. */
  level: 'warn' | 'error' | null
}

// Sent to clients while PostgreSQL stops, recovers or starts (57P01 to 57P03), or after a wrong password.
const toldToTheClient = /^(57P0[123]|28P01)$/
const crash = /terminated by signal|terminating any other active server processes/

export function readServerLine(line: string): ServerLine {
  const match = /^([^|]*)\|([^|]*)\|(.*)$/s.exec(line)
  const [backend, state, text] = match ? [match[1] || null, match[2] ?? '', match[3] ?? ''] : [null, '', line]
  return { text, backend, level: levelOf(text, backend, state) }
}

function levelOf(text: string, backend: string | null, state: string): ServerLine['level'] {
  if (toldToTheClient.test(state)) return null
  const severity = /^(?:postgres: )?(?:.*?\b)?(WARNING|ERROR|FATAL|PANIC|LOG):/.exec(text)?.[1]
  if (severity === 'PANIC') return 'error'
  if (backend === 'client backend') return severity === 'FATAL' ? 'warn' : null
  if (severity === 'FATAL' || severity === 'ERROR') return 'error'
  if (severity === 'WARNING') return 'warn'
  return severity === 'LOG' && crash.test(text) ? 'warn' : null
}
