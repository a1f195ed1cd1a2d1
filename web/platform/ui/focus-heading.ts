/**
 * The heading of a section, or of the page, made focusable: it takes the focus when the focused element is removed
 * without a successor.
 */
export function headingOf(sectionId?: string): HTMLElement | null {
  const ofSection = sectionId === undefined ? null : document.getElementById(`${sectionId}-title`)
  const heading = ofSection ?? document.querySelector<HTMLElement>('main h1')
  if (heading) heading.tabIndex = -1
  return heading
}

export const focusHeading = (sectionId?: string): void => headingOf(sectionId)?.focus()
