/** Leads the keyboard to the head of the page, where what it was at is gone with nothing like it left. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (heading === null) return
  heading.tabIndex = -1
  heading.focus()
}
