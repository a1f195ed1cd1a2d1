/** Returns the singular and plural forms of a word, judged by its ending; the word itself comes first. */
export function wordForms(word: string): string[] {
  if (!/^[a-z]{3,}$/.test(word)) return [word]
  const others = [`${word}s`]
  if (/(s|x|z|ch|sh)$/.test(word)) others.push(`${word}es`)
  if (/[^aeiou]y$/.test(word)) others.push(`${word.slice(0, -1)}ies`)
  if (/ies$/.test(word) && word.length > 4) others.push(`${word.slice(0, -3)}y`)
  if (/(s|x|z|ch|sh)es$/.test(word)) others.push(word.slice(0, -2))
  if (/[^su]s$/.test(word) && word.length > 3) others.push(word.slice(0, -1))
  return [word, ...others]
}
