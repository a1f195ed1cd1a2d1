/** What nodemailer waits for before it says anything of a mail. */
const beforeAnyMail = new Set<unknown>(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT'])

/**
 * Whether a mail that `send` failed with has certainly not been taken over: the mail server refused it, or was never
 * reached. After any other failure nobody knows.
 */
export function wasNotTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { responseCode, code, syscall, timeoutType } = error as Error & Record<string, unknown>
  return (
    typeof responseCode === 'number' ||
    syscall === 'connect' ||
    code === 'EDNS' ||
    code === 'ETLS' ||
    beforeAnyMail.has(timeoutType)
  )
}

/** Mail servers repeat the address they refuse, and what a job throws is logged and kept with the job. */
export function nameNobody(error: unknown, address: string): Error {
  const text = error instanceof Error ? error.message : String(error)
  return new Error(text.replaceAll(new RegExp(RegExp.escape(address), 'gi'), '(the recipient)'))
}
