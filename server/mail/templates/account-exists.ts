import type { Mail } from '../mailer.ts'
import { writeLetter } from './write-letter.ts'

/** To a verified account whose address somebody registered again: the page itself never says that it is taken. */
export function accountExistsMail(to: string, name: string, publicUrl: string): Mail {
  return writeLetter({
    to,
    name,
    subject: 'You already have a Lectern account',
    paragraphs: [
      'Somebody, probably you, just tried to register at Lectern with this email address. You already have an account, so nothing was changed.',
    ],
    action: {
      label: 'Log in',
      link: `${publicUrl}/login`,
      explained: 'It opens the login. Your password is the one you have always had.',
    },
    links: [{ label: 'Forgot your password? Choose a new one here', link: `${publicUrl}/forgot-password` }],
    smallPrint: ['It was not you? There is nothing to do: your account and your password are as they were.'],
  })
}
