/** The printed page label, or null if it equals the page number. */
export function printedLabel(labels: string[] | null, page: number): string | null {
  const label = labels?.[page - 1]?.trim()
  return label && label !== String(page) ? label : null
}
