/** Saves a PDF under a note's title, which the browser makes a name of that the system takes. */
export function saveFile(file: Blob, title: string): void {
  const url = URL.createObjectURL(new Blob([file], { type: 'application/pdf' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${title}.pdf`
  link.click()
  // The browser has taken hold of the file by then, however large it is.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
