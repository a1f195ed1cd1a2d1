/** What is printed on a page, where that is not its number. */
export function printedLabel(labels: string[] | null, page: number): string | null {
  const label = labels?.[page - 1]?.trim()
  return label && label !== String(page) ? label : null
}
