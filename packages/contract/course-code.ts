/**
 * A course code without case, blanks, hyphens and joiners, which is how courses are compared: `cs 1-01` gives `CS101`. What is left
 * may combine once a hyphen is gone, so it is normalised last: folding it again changes nothing.
 */
export function foldCourseCode(code: string): string {
  return code
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}\p{DI}]/gu, '')
    .normalize('NFKC')
}
