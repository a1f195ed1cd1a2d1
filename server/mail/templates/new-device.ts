import type { Mail } from '../mailer.ts'
import { notMe } from './not-me.ts'
import { writeLetter } from './write-letter.ts'

/** To an account after the first login on a device. */
export function newDeviceMail(
  to: string,
  name: string,
  publicUrl: string,
  token: string,
  { device, at }: { device: string | null; at: Date },
): Mail {
  const when = at.toISOString().slice(0, 16).replace('T', ' at ')
  return writeLetter({
    to,
    name,
    subject: 'A new login to your Lectern account',
    paragraphs: [
      'Somebody, probably you, logged in to your Lectern account on a device or in a browser that was not used for it before.',
      `${device ?? 'Unknown device'}, ${when} UTC`,
    ],
    ...notMe(publicUrl, token),
  })
}
