import type { Mail } from '../mailer.ts'
import { layOut } from './layout.ts'

/** To an account after a reset, so that its owner learns of one that was somebody else's doing. */
export function passwordChangedMail(to: string, name: string, publicUrl: string): Mail {
  return layOut({
    to,
    name,
    subject: 'Your Lectern password was changed',
    paragraphs: [
      'The password of your Lectern account was just changed, and all devices were logged out. Log in with the new one.',
    ],
    button: { label: 'Log in', link: `${publicUrl}/login` },
    links: [{ label: 'It was not you? Choose a new password at once', link: `${publicUrl}/forgot-password` }],
    smallPrint: [],
  })
}
