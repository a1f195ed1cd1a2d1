import type { Mail } from '../mailer.ts'
import { notMe } from './not-me.ts'
import { writeLetter } from './write-letter.ts'

/** To an account that is to be deleted. */
export function leavingMail(to: string, name: string, publicUrl: string, token: string): Mail {
  return writeLetter({
    to,
    name,
    subject: 'Your Lectern account will be deleted',
    paragraphs: [
      'Your Lectern account will be deleted in 7 days, as you asked. Until then you can log in and keep it.',
    ],
    ...notMe(publicUrl, token, 'keeps the account, logs out every device'),
    links: [{ label: 'Changed your mind? Log in and keep your account', link: `${publicUrl}/login` }],
  })
}
