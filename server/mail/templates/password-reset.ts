import type { Mail } from '../mailer.ts'
import { writeLetter } from './write-letter.ts'

/** To an account whose owner forgot the password: the link to choose a new one, good once within an hour. */
export function passwordResetMail(to: string, name: string, publicUrl: string, token: string): Mail {
  return writeLetter({
    to,
    name,
    subject: 'Choose a new password for Lectern',
    paragraphs: ['Somebody, probably you, asked to reset your Lectern password.'],
    action: {
      label: 'Choose a new password',
      link: `${publicUrl}/reset-password?token=${encodeURIComponent(token)}`,
      explained:
        'It opens a page where you type the new one; until then the old one stays. The link works once, within one hour, and only the newest link works.',
    },
    smallPrint: ['It was not you? Do nothing: your password stays as it is.'],
  })
}
