/** What somebody has written, set apart so that it cannot pass for the letter's own words. */
export type Quote = { quote: string }
type Link = { label: string; link: string }

/** What a mail says, as plain text. Both parts are made of it, so that they cannot drift apart. */
export type Letter = {
  to: string
  subject: string
  /** The recipient's name from the account, untrusted; null when the recipient has no account. */
  name: string | null
  paragraphs: (string | Quote)[]
  /** What the mail tells of one by one, such as notes: each is a link, with what is said of it beneath. */
  entries?: (Link & { detail: string })[]
  /** The one thing to do, and in `explained` what a click does and how long it works. */
  action?: Link & { explained: string }
  /** Further addresses of Lectern, each with what it is for. */
  links?: Link[]
  /** At the end, and smaller: what the reader has to do who did not expect the mail, or why it came. */
  smallPrint: string[]
}
