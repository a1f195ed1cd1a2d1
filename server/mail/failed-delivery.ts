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

/**
 * Whether the mail server has refused the recipient for good. What it has against the sender (5.7, as a relay that is denied
 * has it) is for the operator to mend, and the mail goes out then.
 */
export function isRefused(error: unknown): boolean {
  const { command, responseCode, response } = error as Record<string, unknown>
  return command === 'RCPT TO' && Number(responseCode) >= 500 && !/^5\d\d[ -]5\.7\./.test(String(response))
}

/** Mail servers repeat the address they refuse, and what a job throws is logged and kept with the job. */
export function nameNobody(error: unknown, address: string): Error {
  const text = error instanceof Error ? error.message : String(error)
  return new Error(text.replaceAll(new RegExp(RegExp.escape(address), 'gi'), '(the recipient)'))
}
