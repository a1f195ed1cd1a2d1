import type { Mail } from '../mailer.ts'
import { notMe } from './not-me.ts'
import { writeLetter } from './write-letter.ts'

type Changed = 'passkey-added' | 'passkey-removed' | 'two-factor-on' | 'two-factor-off' | 'recovery-codes-renewed'

const texts: Record<Changed, { subject: string; text: string }> = {
  'passkey-added': {
    subject: 'A passkey was added to Lectern',
    text: 'A passkey was just added to your Lectern account. Whoever has it can log in without the password.',
  },
  'passkey-removed': {
    subject: 'A passkey was removed from Lectern',
    text: 'A passkey was just removed from your Lectern account. Nobody can log in with it any more.',
  },
  'two-factor-on': {
    subject: 'Your Lectern login asks for a code now',
    text: 'Two-factor login was just turned on for your Lectern account. From now on a code of an app is asked for after the password.',
  },
  'two-factor-off': {
    subject: 'Your Lectern login asks for no code now',
    text: 'Two-factor login was just turned off for your Lectern account. From now on the password alone is asked for.',
  },
  'recovery-codes-renewed': {
    subject: 'You have new recovery codes',
    text: 'New recovery codes were just made for your Lectern account. The earlier ones work no more.',
  },
}

/** What has to be undone besides, of what a stranger has done. */
const undoing: Partial<Record<Changed, string>> = {
  'two-factor-on': 'turns it off again, logs out every device',
  'recovery-codes-renewed': 'makes the new codes void, logs out every device',
}

/** To an account after the ways to log in to it were changed. */
export function waysInChangedMail(
  to: string,
  name: string,
  publicUrl: string,
  token: string,
  { kind, device, at }: { kind: Changed; device: string | null; at: Date },
): Mail {
  const { subject, text } = texts[kind]
  const when = `${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC`
  return writeLetter({
    to,
    name,
    subject,
    paragraphs: [text, device === null ? when : `${device}, ${when}`],
    ...notMe(publicUrl, token, undoing[kind]),
  })
}
