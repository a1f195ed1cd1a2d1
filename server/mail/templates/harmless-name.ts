/**
 * The name as it may stand in a mail, or null. Anyone can register a stranger's address under any name, and mail
 * programs make links of what looks like an address (THREATS.md C7): such a name is left out altogether.
 */
export function findHarmlessName(name: string): string | null {
  const shown = name.normalize('NFKC').replace(/\s+/gu, ' ').trim()
  const plain = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} .,()'’·-]*$/u.test(shown)
  // "evil.example" and "10.0.0.1" become links, "J.R. Smith" does not; a row of digits becomes a telephone link.
  const looksLikeAddress = /\.(\p{N}|[\p{L}\p{M}]{2})/u.test(shown) || /^www\b/iu.test(shown)
  const looksLikeNumber = (shown.match(/\p{N}/gu) ?? []).length > 4
  return plain && !looksLikeAddress && !looksLikeNumber && shown.length <= 60 ? shown : null
}
