/**
 * The header must open the file; only blanks or a byte order mark may stand before it. Readers tolerate any 1,024
 * bytes there, and that is the room in which a file can be a web page, a script or an archive as well as a PDF.
 */
export function hasPdfHeader(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).toString('latin1')
  return /^(\xef\xbb\xbf)?[ \t\r\n]*%PDF-/.test(start)
}
