import type { Mail } from '../mailer.ts'
import { writeLetter } from './write-letter.ts'

/** To a new account: the link that activates it, good for 24 hours. */
export function verificationMail(to: string, name: string, publicUrl: string, token: string): Mail {
  return writeLetter({
    to,
    name,
    subject: 'Verify your email for Lectern',
    paragraphs: ['Welcome to Lectern. One thing is left to do: show us that this mailbox is yours.'],
    action: {
      label: 'Verify my email',
      link: `${publicUrl}/verify?token=${encodeURIComponent(token)}`,
      explained:
        'It opens a page of Lectern. One more click there, and your account is active. The link works for 24 hours.',
    },
    smallPrint: [
      'You did not register? Then somebody typed your address by mistake. Do nothing, and no account will be active.',
    ],
  })
}
