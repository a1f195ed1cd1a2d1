import type { Mail } from '../mailer.ts'
import { writeLetter } from './write-letter.ts'

/** @param title of the note it is for, where it is for one. */
type Suspended = { until: string; reason: string; title: string | null }

/** To the owner of an account that an admin has suspended. */
export function suspendedMail(to: string, name: string, publicUrl: string, { until, reason, title }: Suspended): Mail {
  return writeLetter({
    to,
    name,
    subject: 'Your Lectern account is suspended',
    paragraphs: [
      `Your account is suspended ${until}${title === null ? '' : ` because of the note “${title}”`}. You are logged out everywhere. Until then you can log in only to take your notes along, or to leave.`,
      'The reason:',
      { quote: reason },
    ],
    action: {
      label: 'Read the rules of the house',
      link: `${publicUrl}/rules`,
      explained: 'It opens the rules. You need not be logged in.',
    },
    smallPrint: [
      ...(title === null ? [] : [anonymity]),
      'You think that this is wrong? Write to whoever runs this Lectern: the front page says who that is.',
    ],
  })
}

export function suspensionLiftedMail(to: string, name: string, publicUrl: string): Mail {
  return writeLetter({
    to,
    name,
    subject: 'Your Lectern account is open again',
    paragraphs: ['Your account is no longer suspended. Everything is as it was.'],
    action: { label: 'Log in', link: `${publicUrl}/login`, explained: 'It opens the page where you log in.' },
    smallPrint: [],
  })
}

const anonymity =
  'If you shared the note anonymously, nobody was told that it is yours. This mail was sent by Lectern itself.'
