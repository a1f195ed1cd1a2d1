import type { Mail } from '../mailer.ts'
import { writeLetter } from './write-letter.ts'

/** To an address that an account is to have: the link that proves the mailbox, good for 24 hours. */
export function confirmEmailMail(to: string, name: string, publicUrl: string, token: string): Mail {
  return writeLetter({
    to,
    name,
    subject: 'Confirm your new email for Lectern',
    paragraphs: ['Your Lectern account is to have this email address. One thing is left: show us that it is yours.'],
    action: {
      label: 'Confirm this email',
      link: `${publicUrl}/confirm-email?token=${encodeURIComponent(token)}`,
      explained:
        'It opens a page of Lectern. One more click there, and you log in with this address. The link works for 24 hours, and only the newest link works.',
    },
    smallPrint: ['You did not ask for this? Then somebody typed your address by mistake. Do nothing.'],
  })
}
