import type { Mail } from '../mailer.ts'
import { notMe } from './not-me.ts'
import { writeLetter } from './write-letter.ts'

/** To the address an account had. */
export function emailChangedMail(to: string, name: string, publicUrl: string, token: string): Mail {
  return writeLetter({
    to,
    name,
    subject: 'Your Lectern account has a new email',
    paragraphs: [
      'The email address of your Lectern account was just changed. From now on it is used to log in, and this one no longer is.',
    ],
    ...notMe(publicUrl, token, 'gives the account this address again, logs out every device'),
  })
}
