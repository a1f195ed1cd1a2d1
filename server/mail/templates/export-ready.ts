import type { Mail } from '../mailer.ts'
import { writeLetter } from './write-letter.ts'

/** To an account whose export is made. It is not in the mail: only who is signed in gets it. */
export function exportReadyMail(to: string, name: string, publicUrl: string, expiresAt: Date): Mail {
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' at ')} UTC`
  return writeLetter({
    to,
    name,
    subject: 'Your Lectern export is ready',
    paragraphs: [
      `What you asked for is ready: your notes and what Lectern knows of you, in one file. It is kept until ${until}.`,
    ],
    action: {
      label: 'Get it in the settings',
      link: `${publicUrl}/settings#export`,
      explained: 'It opens your settings. You have to be logged in.',
    },
    smallPrint: [
      'You did not ask for it? Then somebody else is logged in to your account: change your password there.',
    ],
  })
}
