/**
 * 49,000 passwords from published leaks are lower-case, as such lists are, so almost none passes the strength rule
 * unchanged. They are loaded when the first password is chosen.
 */
let loaded: ReadonlySet<string> | null = null

async function loadLeaked(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  loaded ??= new Set(dictionary['passwords-common'])
  return loaded
}

/** Returns the words that an attacker would try first; the user's password must not be based on them. */
export function ownWords({ name, email }: { name: string; email: string }): string[] {
  const [mailbox = ''] = email.split('@')
  const typed = [name, mailbox, ...name.split(/[\s\p{P}]+/u), ...mailbox.split(/[\d\p{P}]+/u)].map(lettersOf)
  const words = new Set(['lectern', ...typed, ...typed.map(withoutAccents)])
  // The longest words come first, so that a whole name is removed before its parts.
  return [...words].filter((word) => word.length >= 3).sort((one, other) => other.length - one.length)
}

/**
 * Returns whether a password is leaked, or is a leaked one or an own word that was modified to pass the strength rule:
 * with capitals, with the usual signs for letters (`P@ssw0rd`), with a few digits and signs at its ends or in between
 * (`Pass@word123`, `India@1234`), or with digits typed as their signs (`!QAZ2wsx`). Takes microseconds for any length.
 */
export async function isCommonPassword(password: string, own: string[]): Promise<boolean> {
  return isCommon(password, own, await loadLeaked())
}

function isCommon(password: string, own: string[], leaked: ReadonlySet<string>): boolean {
  const text = password.toLowerCase()
  const digits = text.replace(/\D/g, '')
  const letters = lettersOf(text)
  if (wholeForms(text).some((form) => leaked.has(form))) return true
  if (letters.length <= 4 && leaked.has(digits)) return true
  return cores(text).some(({ core, rest }) => isFewDecorations(rest, leaked) && isCommonWord(core, own, leaked))
}

const lettersOf = (text: string) => text.toLowerCase().replace(/\P{L}/gu, '')
const withoutAccents = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '')

/** Returns the text as typed, without signs, and with each sign replaced by the digit on its key. */
function wholeForms(text: string): string[] {
  const unshifted = text.replace(/[!@#$%^&*()]/g, (sign) => String(('!@#$%^&*()'.indexOf(sign) + 1) % 10))
  return [text, text.replace(/[^\p{L}\p{N}]/gu, ''), unshifted]
}

/** These signs usually replace letters; `1`, `!` and `|` are read as i and as l. */
const signs = '@4836905$7+2'
const meant = 'aabeggossttz'
const undoSubstitutions = (text: string, one: 'i' | 'l') =>
  text.replace(/[1!|]/g, one).replace(/[@4836905$7+2]/g, (sign) => meant.charAt(signs.indexOf(sign)))

/** Returns the words that a password may be based on, each with the characters around it. */
function cores(text: string): { core: string; rest: string }[] {
  const letters = { core: lettersOf(text), rest: text.replace(/\p{L}/gu, '') }
  // A sign may begin the word (`@dmin123`), so it is read with and without the signs before its first letter.
  const trimmed = [/^()(.*\p{L})(\P{L}*)$/su, /^(\P{L}*)(.*\p{L})(\P{L}*)$/su].flatMap((shape) => {
    const [, before = '', word = '', after = ''] = shape.exec(text) ?? []
    return (['i', 'l'] as const).map((one) => ({ core: undoSubstitutions(word, one), rest: before + after }))
  })
  return [letters, ...trimmed]
}

/** Returns whether the rest is so short or common that an attacker who guesses the word soon guesses it, too. */
function isFewDecorations(rest: string, leaked: ReadonlySet<string>): boolean {
  const digits = rest.replace(/\D/g, '')
  return (digits.length <= 4 || leaked.has(digits)) && rest.length - digits.length <= 4
}

function isCommonWord(core: string, own: string[], leaked: ReadonlySet<string>): boolean {
  const withoutOwn = own.reduce((left, word) => left.replaceAll(word, ''), core)
  return leaked.has(core) || (withoutOwn !== core && withoutOwn.length <= 2)
}
