/** A course code without case, blanks and hyphens, which is how courses are compared: `cs 1-01` gives `CS101`. */
export function foldCourseCode(code: string): string {
  return code
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
}
