import type { Mail } from '../mailer.ts'
import { writeLetter } from './write-letter.ts'

/** To somebody who may register, whoever else may. */
export function invitationLetter(to: string, publicUrl: string, token: string): Mail {
  return writeLetter({
    to,
    name: null,
    subject: 'You are invited to Lectern',
    paragraphs: ['You are invited to Lectern, where students share their notes.'],
    action: {
      label: 'Register',
      link: `${publicUrl}/register?invitation=${encodeURIComponent(token)}`,
      explained: 'It opens the page to register. The link works once, for 14 days.',
    },
    smallPrint: ['You do not want to? Then do nothing.'],
  })
}
