import { pino } from 'pino'

/** Shows what went wrong unexpectedly, and nothing else. */
export const quietLog = pino({ level: process.env.TEST_LOG ?? 'silent' })
