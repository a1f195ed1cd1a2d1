import type { Mail } from '../mailer.ts'
import { writeLetter } from './write-letter.ts'

/** To an account after a reset, so that its owner learns of one that was somebody else's doing. */
export function passwordChangedMail(to: string, name: string, publicUrl: string): Mail {
  return writeLetter({
    to,
    name,
    subject: 'Your Lectern password was changed',
    paragraphs: ['The password of your Lectern account was just changed, and all devices were logged out.'],
    action: {
      label: 'Log in',
      link: `${publicUrl}/login`,
      explained: 'It opens the login. Use the new password there.',
    },
    links: [{ label: 'It was not you? Choose a new password at once', link: `${publicUrl}/forgot-password` }],
    smallPrint: [],
  })
}
