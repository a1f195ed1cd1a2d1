import type { Mail } from '../mailer.ts'
import { writeLetter } from './write-letter.ts'

/** To an address without an account for which a reset was asked: the page itself never says that there is none. */
export function noAccountMail(to: string, publicUrl: string): Mail {
  return writeLetter({
    to,
    name: null,
    subject: 'No Lectern account with this email',
    paragraphs: [
      'Somebody, probably you, asked to reset the password of a Lectern account with this email address. There is no such account.',
      'Maybe you registered with another address? If you are new, you are welcome to join.',
    ],
    action: {
      label: 'Register',
      link: `${publicUrl}/register`,
      explained: 'It opens the registration, which is empty: nothing was made for you.',
    },
    smallPrint: ['It was not you? There is nothing to do.'],
  })
}
