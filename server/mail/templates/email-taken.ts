import type { Mail } from '../mailer.ts'
import { writeLetter } from './write-letter.ts'

/** To an account whose address another one was to have: whoever asked is never told that it is taken. */
export function emailTakenMail(to: string, name: string, publicUrl: string): Mail {
  return writeLetter({
    to,
    name,
    subject: 'This email has a Lectern account already',
    paragraphs: [
      'Somebody, probably you, tried to give another Lectern account this email address. This account has it, so nothing was changed.',
    ],
    action: {
      label: 'Log in',
      link: `${publicUrl}/login`,
      explained: 'It opens the login. To use this address elsewhere, change the email of this account first.',
    },
    smallPrint: ['It was not you? There is nothing to do: your account is as it was.'],
  })
}
