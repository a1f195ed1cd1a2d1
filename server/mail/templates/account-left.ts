import type { Mail } from '../mailer.ts'
import { writeLetter } from './write-letter.ts'

/** To an address whose account is gone. */
export function accountLeftMail(to: string, publicUrl: string, keepsNotes: boolean): Mail {
  const notes = keepsNotes
    ? 'Your notes stay, without your name. Where a file could not be made anonymous, its note was deleted.'
    : 'Your notes were deleted with it.'
  return writeLetter({
    to,
    name: null,
    subject: 'Your Lectern account was deleted',
    paragraphs: [`Your Lectern account was deleted, as you asked. ${notes}`],
    action: {
      label: 'Register',
      link: `${publicUrl}/register`,
      explained: 'It opens the registration, should you come back one day. Your address is free to register anew.',
    },
    smallPrint: [],
  })
}
