/**
 * The words a text is found by: without case and accents, letters and digits only. `Théorie d’Euler (II)` gives
 * `theorie`, `deuler`, `ii`. Documents and queries are folded here and nowhere else.
 */
export function foldWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
  return [...new Set(plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))]
}

/** A course code without case, blanks and hyphens: `cs 1-01` gives `CS101`. */
export function foldCourseCode(code: string): string {
  return code
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
}
