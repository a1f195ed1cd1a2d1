import type { BaseLogger } from 'pino'

export type EmbeddedLog = Pick<BaseLogger, 'info' | 'warn' | 'error'>

/** PostgreSQL's `log_line_prefix` that `readServerLine` understands: backend type, SQLSTATE. */
export const logLinePrefix = '%b|%e|'

export type ServerLine = {
  text: string
  /** Null for lines that belong to no single query, such as those printed before the settings are read. */
  backend: string | null
  /** What to forward the line as; null for noise: failed queries are reported where they were asked. */
  level: 'warn' | 'error' | null
}

// Said to clients while PostgreSQL stops, recovers or starts (57P01 to 57P03), or to one with a wrong password.
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
