/** Saves a PDF under a note's title; the browser replaces characters that the system does not allow. */
export const saveFile = (file: Blob, title: string): void =>
  saveAs(new Blob([file], { type: 'application/pdf' }), `${title}.pdf`)

export function saveAs(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file)
  saveFrom(url, fileName)
  // The browser has started to read the file by then, whatever its size.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

export function saveFrom(url: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
}
