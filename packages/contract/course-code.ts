/**
 * Folds a course code for comparison, without case, spaces, hyphens and joiners: `cs 1-01` gives `CS101`. The rest may
 * combine once a hyphen is removed, so it is normalised last, and folding it again changes nothing.
 */
export function foldCourseCode(code: string): string {
  return code
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}\p{DI}]/gu, '')
    .normalize('NFKC')
}
