/**
 * The objects of a PDF (ISO 32000-1, 7.3). A dictionary is a Map, an array is an array, and the rest are the types
 * below.
 */
export type PdfValue = null | boolean | number | PdfName | PdfString | PdfRef | PdfStream | PdfArray | PdfDict
export type PdfArray = PdfValue[]
export type PdfDict = Map<string, PdfValue>

/** `text` is the name without its slash and with `#xx` decoded, one character per byte. */
export class PdfName {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export class PdfString {
  readonly bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/** A reference by object number. The generation is not kept, because the files read here only use 0. */
export class PdfRef {
  readonly number: number
  constructor(number: number) {
    this.number = number
  }
}

export class PdfStream {
  readonly dict: PdfDict
  data: Uint8Array
  constructor(dict: PdfDict, data: Uint8Array) {
    this.dict = dict
    this.data = data
  }
}

/** Thrown for everything that is not understood, so that a file is rejected instead of being cleaned only in part. */
export class PdfRejectedError extends Error {
  override name = 'PdfRejectedError'
}

/** Thrown beyond a limit. The whole file is rejected, even if a part of it could be processed in another way. */
export class PdfLimitError extends PdfRejectedError {}
