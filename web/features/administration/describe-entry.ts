import type { AuditEntry } from '../../../packages/contract/members.ts'
import { countOf } from '../notes/format.ts'

/** Includes the email, because names are freely chosen and not unique. */
export const describeAccount = (name: string | undefined, email: string | undefined): string =>
  name === undefined ? 'a deleted account' : `${name} (${email})`

/** The text of an audit entry: `changed Ben Ito (ben@uni.example) from student to moderator`. */
export function describeAuditEntry({ action, subject, details }: AuditEntry): string {
  const whom = describeAccount(subject?.text, subject?.email)
  const note = subject?.text === undefined ? 'a deleted note' : `“${subject.text}”`
  const { kind = '', reason = '', days = '' } = details
  const length = days === 'until lifted' ? days : `for ${countOf(Number(days), 'day')}`
  switch (action) {
    case 'role':
      return `changed ${whom} from ${details.from} to ${details.to}`
    case 'decision':
      if (kind === 'redact') return `redacted the reason of decision ${details.decision}`
      return kind === 'ask' ? `asked the author of ${note} a question` : `decided on ${note}: ${kind}`
    case 'suspension':
      if (kind === 'suspend') return `suspended ${whom} ${length}: ${reason}`
      if (kind === 'suspend behind') return `suspended the author of ${note} ${length}: ${reason}`
      return kind === 'lift' ? `lifted the suspension of ${whom}` : `lifted the suspension of the author of ${note}`
    case 'quota':
      return details.mb === 'as all'
        ? `reset the upload limit of ${whom}`
        : `set the upload limit of ${whom} to ${details.mb} MB per 24 hours`
    case 'invitation':
      if (kind === 'send again') return 'resent an invitation'
      return kind === 'withdraw' ? 'revoked an invitation' : `created an invitation (${details.by})`
    case 'two-factor-off':
      return `turned off two-factor authentication for ${whom}`
    case 'settings':
      return describeSetting(kind, details)
  }
}

function describeSetting(kind: string, { mode, domains, text, days, mb }: AuditEntry['details']): string {
  if (kind === 'registration') return `set registration to ${mode}${domains ? ` (${domains})` : ''}`
  if (kind === 'announcement')
    return text ? `published an announcement for ${countOf(Number(days), 'day')}: ${text}` : 'removed the announcement'
  return mb === 'as configured'
    ? 'reset the default upload limit'
    : `set the default upload limit to ${mb} MB per 24 hours`
}
