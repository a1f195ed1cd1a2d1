/**
 * The heading of a section, else of the page, ready to take the focus: where the keyboard goes on when what it was at is
 * gone with nothing like it left.
 */
export function headingOf(sectionId?: string): HTMLElement | null {
  const ofSection = sectionId === undefined ? null : document.getElementById(`${sectionId}-title`)
  const heading = ofSection ?? document.querySelector<HTMLElement>('main h1')
  if (heading) heading.tabIndex = -1
  return heading
}

export const focusHeading = (sectionId?: string): void => headingOf(sectionId)?.focus()
