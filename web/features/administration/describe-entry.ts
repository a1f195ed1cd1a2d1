import type { AuditEntry } from '../../../packages/contract/members.ts'
import { countOf } from '../notes/format.ts'

/** Includes the e-mail, because names are freely chosen and not unique. */
export const describeAccount = (name: string | undefined, email: string | undefined): string =>
  name === undefined ? 'an account that is gone' : `${name} (${email})`

/** The text of an audit entry: `role of Ben Ito (ben@uni.example) from student to moderator`. */
export function describeAuditEntry({ action, subject, details }: AuditEntry): string {
  const whom = describeAccount(subject?.text, subject?.email)
  const note = subject?.text === undefined ? 'a note that is gone' : `“${subject.text}”`
  const { kind = '', reason = '', days = '' } = details
  const length = days === 'until lifted' ? 'until it is lifted' : `for ${countOf(Number(days), 'day')}`
  switch (action) {
    case 'role':
      return `role of ${whom} from ${details.from} to ${details.to}`
    case 'decision':
      if (kind === 'redact') return `removed the reason of decision ${details.decision}`
      return kind === 'ask' ? `asked the author of ${note}` : `decided on ${note}: ${kind}`
    case 'suspension':
      if (kind === 'suspend') return `suspended ${whom} ${length}: ${reason}`
      if (kind === 'suspend behind') return `suspended the author of ${note} ${length}: ${reason}`
      return kind === 'lift' ? `lifted the suspension of ${whom}` : `lifted the suspension of the author of ${note}`
    case 'quota':
      return `uploads of ${whom}: ${details.mb === 'as all' ? 'as all' : `${details.mb} MB in 24 hours`}`
    case 'invitation':
      if (kind === 'send again') return 'sent an invitation again'
      return kind === 'withdraw' ? 'took an invitation back' : `invited somebody by ${details.by}`
    case 'two-factor-off':
      return `turned off two-factor login of ${whom}`
    case 'settings':
      return describeSetting(kind, details)
  }
}

function describeSetting(kind: string, { mode, domains, text, days, mb }: AuditEntry['details']): string {
  if (kind === 'registration') return `who may register: ${mode}${domains ? ` (${domains})` : ''}`
  if (kind === 'announcement')
    return text ? `announced for ${countOf(Number(days), 'day')}: ${text}` : 'took the announcement away'
  return `uploads of all: ${mb === 'as configured' ? mb : `${mb} MB in 24 hours`}`
}
