import { boolean, type Entries, number, stream } from '../rules/basic.ts'
import { cleanJbig2 } from './jbig2.ts'
import { cleanJpeg } from './jpeg.ts'
import { cleanJpx } from './jpx.ts'

/** The filters that encode pictures: how the data is cleaned, and which parameters decoding needs. */
export const pictures: Record<string, { clean: (data: Uint8Array) => Uint8Array; parameters: Entries }> = {
  DCTDecode: { clean: cleanJpeg, parameters: { ColorTransform: number } },
  JPXDecode: { clean: cleanJpx, parameters: {} },
  JBIG2Decode: { clean: cleanJbig2, parameters: { JBIG2Globals: stream('jbig2', {}) } },
  // Fax lines have no room for anything else.
  CCITTFaxDecode: {
    clean: (data) => data,
    parameters: {
      K: number,
      EndOfLine: boolean,
      EncodedByteAlign: boolean,
      Columns: number,
      Rows: number,
      EndOfBlock: boolean,
      BlackIs1: boolean,
      DamagedRowsBeforeError: number,
    },
  },
}
