/** Saves a PDF under a note's title, which the browser makes a name of that the system takes. */
export const saveFile = (file: Blob, title: string): void =>
  saveAs(new Blob([file], { type: 'application/pdf' }), `${title}.pdf`)

export function saveAs(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file)
  saveFrom(url, fileName)
  // The browser has taken hold of the file by then, however large it is.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Lets the browser save what is at an address. */
export function saveFrom(url: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
}
