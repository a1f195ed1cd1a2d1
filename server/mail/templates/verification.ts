import type { Mail } from '../mailer.ts'
import { layOut } from './layout.ts'

/** To a new account: the link that activates it, good for 24 hours. */
export function verificationMail(to: string, name: string, publicUrl: string, token: string): Mail {
  return layOut({
    to,
    name,
    subject: 'Verify your email for Lectern',
    paragraphs: [
      'Welcome to Lectern. One click and your account is ready: please confirm that this is your email address.',
    ],
    button: { label: 'Verify my email', link: `${publicUrl}/verify?token=${encodeURIComponent(token)}` },
    smallPrint: [
      'The link works for 24 hours.',
      'You did not register? Then somebody typed your address by mistake. Do nothing, and no account will be active.',
    ],
  })
}
