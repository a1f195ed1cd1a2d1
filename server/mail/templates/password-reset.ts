import type { Mail } from '../mailer.ts'
import { layOut } from './layout.ts'

/** To an account whose owner forgot the password: the link to choose a new one, good once within an hour. */
export function passwordResetMail(to: string, name: string, publicUrl: string, token: string): Mail {
  return layOut({
    to,
    name,
    subject: 'Choose a new password for Lectern',
    paragraphs: ['Somebody, probably you, asked to reset your Lectern password. Choose a new one here:'],
    button: { label: 'Choose a new password', link: `${publicUrl}/reset-password?token=${encodeURIComponent(token)}` },
    smallPrint: [
      'The link works once, within one hour. Only the newest link works.',
      'It was not you? Do nothing: your password stays as it is.',
    ],
  })
}
