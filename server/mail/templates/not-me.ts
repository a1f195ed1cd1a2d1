import type { Letter } from './letter.ts'

/** What ends every mail that tells the owner of an account what was done to it. @param does besides the password. */
export const notMe = (
  publicUrl: string,
  token: string,
  does = 'logs out every device',
): Pick<Letter, 'action' | 'smallPrint'> => ({
  action: {
    label: 'This was not me',
    link: `${publicUrl}/not-me?token=${encodeURIComponent(token)}`,
    explained: `It opens a page of Lectern. One more click there ${does}, removes all passkeys, makes the password void and lets you choose a new one. The link works for 7 days.`,
  },
  smallPrint: ['It was you? Then there is nothing to do.'],
})
