import { boolean, type Entries, number, stream } from '../rules/basic.ts'
import type { PdfDict, PdfValue } from '../syntax/values.ts'
import { cleanFax } from './fax.ts'
import { cleanJbig2 } from './jbig2.ts'
import { cleanJpeg } from './jpeg.ts'
import { cleanJpx } from './jpx.ts'

type Picture = {
  /** The parameters that decoding needs. */
  parameters: Entries
  /** @param entries the entries of the image. */
  clean: (data: Uint8Array, parameters: PdfDict, entries: PdfDict) => Uint8Array
  /** Returns the parameters of the cleaned data if they differ. */
  rewritten?: (parameters: PdfDict) => PdfDict
}

/** The filters that encode images. */
export const pictures: Record<string, Picture> = {
  DCTDecode: { clean: cleanJpeg, parameters: { ColorTransform: number } },
  JPXDecode: { clean: cleanJpx, parameters: {} },
  JBIG2Decode: { clean: cleanJbig2, parameters: { JBIG2Globals: stream('jbig2', {}) } },
  CCITTFaxDecode: {
    parameters: { K: number, EncodedByteAlign: boolean, Columns: number, Rows: number, BlackIs1: boolean },
    clean: (data, parameters, entries) => {
      const side = (key: string) => Number(entries.get(key) ?? 0)
      return cleanFaxPicture(data, parameters, side('Width'), side('Height'))
    },
    rewritten: rewriteFaxParameters,
  },
}

export function cleanFaxPicture(data: Uint8Array, parameters: PdfDict, width: number, height: number): Uint8Array {
  const entry = (key: string, otherwise: number) => Number(parameters.get(key) ?? otherwise)
  const format = {
    k: entry('K', 0),
    columns: entry('Columns', 1728),
    isAligned: parameters.get('EncodedByteAlign') === true,
  }
  return cleanFax(data, format, width, Math.min(entry('Rows', 0) || height, height))
}

export function rewriteFaxParameters(parameters: PdfDict): PdfDict {
  const kept = [...parameters].filter(([key]) => key === 'Columns' || key === 'Rows' || key === 'BlackIs1')
  return new Map<string, PdfValue>([['K', -1], ...kept])
}
