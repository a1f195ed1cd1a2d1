import { pino } from 'pino'

/** Logs nothing unless TEST_LOG sets a level. */
export const quietLog = pino({ level: process.env.TEST_LOG ?? 'silent' })
