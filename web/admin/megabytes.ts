import { uploadQuotaMax } from '../../contract/members.ts'

export const notMegabytes = 'Please type a whole number from 1 on, or nothing.'

/** What was typed as a limit: null for none, undefined for nonsense. */
export function readMegabytes(typed: string): number | null | undefined {
  const text = typed.trim()
  if (text === '') return null
  return /^\d{1,7}$/.test(text) && Number(text) >= 1 && Number(text) <= uploadQuotaMax ? Number(text) : undefined
}
