import type { Mail } from '../mailer.ts'
import { notMe } from './not-me.ts'
import { writeLetter } from './write-letter.ts'

/** To an account after a change or a reset, so that its owner learns of one that was somebody else's doing. */
export function passwordChangedMail(to: string, name: string, publicUrl: string, token: string): Mail {
  return writeLetter({
    to,
    name,
    subject: 'Your Lectern password was changed',
    paragraphs: [
      'The password of your Lectern account was just changed. Whoever was logged in elsewhere was logged out.',
    ],
    ...notMe(publicUrl, token),
  })
}
