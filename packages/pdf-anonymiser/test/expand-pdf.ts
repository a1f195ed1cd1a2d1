import { inflateSync } from 'node:zlib'
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFString,
} from '@cantoo/pdf-lib'

/**
 * Extracts everything a curious reader could find in a file, with a different library from the one under test: the raw
 * bytes, every decompressed stream, and every decoded string and name.
 */
async function expandPdf(file: Uint8Array): Promise<Buffer[]> {
  const found: Buffer[] = [Buffer.from(file), ...inflateEverything(Buffer.from(file))]
  const document = await PDFDocument.load(file, { updateMetadata: false, ignoreEncryption: true })
  const visit = (object: PDFObject) => {
    if (object instanceof PDFString || object instanceof PDFHexString) found.push(Buffer.from(object.asBytes()))
    else if (object instanceof PDFName) found.push(Buffer.from(object.decodeText(), 'latin1'))
    else if (object instanceof PDFArray) object.asArray().forEach(visit)
    else if (object instanceof PDFDict) {
      for (const [key, value] of object.entries()) {
        visit(key)
        visit(value)
      }
    } else if (object instanceof PDFRawStream) {
      visit(object.dict)
      found.push(unpack(object))
    }
  }
  for (const [, object] of document.context.enumerateIndirectObjects()) visit(object)
  return [...found, ...found.flatMap(decodeStrings)]
}

/** Returns whether the file contains the canary in any spelling that a program would write. */
export async function holdsCanary(file: Uint8Array, canary: string): Promise<boolean> {
  const utf16be = Buffer.from(canary, 'utf16le').swap16()
  const spellings = [canary, canary.toUpperCase(), canary.toLowerCase()].flatMap((text) => [
    Buffer.from(text),
    Buffer.from(Buffer.from(text).toString('hex')),
    Buffer.from(Buffer.from(text).toString('hex').toUpperCase()),
    Buffer.from(Buffer.from(text).toString('base64').slice(0, -4)),
  ])
  spellings.push(utf16be, Buffer.from(canary, 'utf16le'), Buffer.from(utf16be.toString('hex')))
  const places = await expandPdf(file)
  return places.some((place) => spellings.some((spelling) => place.includes(spelling)))
}

function unpack(stream: PDFRawStream): Buffer {
  try {
    return Buffer.from(decodePDFRawStream(stream).decode())
  } catch {
    return Buffer.from(stream.contents)
  }
}

/** Decompresses at every position where deflated data may begin, including unreferenced data. */
function inflateEverything(file: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = file.indexOf('stream'); at >= 0; at = file.indexOf('stream', at + 6)) {
    for (const start of [at + 7, at + 8]) {
      try {
        found.push(inflateSync(file.subarray(start)))
      } catch {
        // not deflated
      }
    }
  }
  return found
}

/** Decodes the strings inside content streams and maps: hexadecimal ones and those with octal escapes. */
function decodeStrings(place: Buffer): Buffer[] {
  const text = place.toString('latin1')
  const hexadecimal = [...text.matchAll(/<([0-9a-fA-F\s]{8,})>/g)].map(([, digits = '']) =>
    Buffer.from(digits.replace(/\s/g, ''), 'hex'),
  )
  const unescaped = text.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))
  return [...hexadecimal, Buffer.from(unescaped, 'latin1')]
}
