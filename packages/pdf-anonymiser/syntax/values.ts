/** The objects a PDF is made of (ISO 32000-1, 7.3). A dictionary is a Map, an array an array, the rest as named below. */
export type PdfValue = null | boolean | number | PdfName | PdfString | PdfRef | PdfStream | PdfArray | PdfDict
export type PdfArray = PdfValue[]
export type PdfDict = Map<string, PdfValue>

/** `text` is the name without its slash and with `#xx` undone, one character a byte. */
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

/** A reference to an object by number. The generation is not kept: the files read here only use 0. */
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

/** Thrown for anything that is not understood: a file that raises it is refused, never passed on half cleaned. */
export class PdfRejectedError extends Error {
  override name = 'PdfRejectedError'
}

/** Thrown past a limit: a file that raises it is refused, also where a part of it could be done in another way. */
export class PdfLimitError extends PdfRejectedError {}
