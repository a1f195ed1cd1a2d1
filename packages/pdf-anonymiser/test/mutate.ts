import { joinPieces, type Piece } from '../../pdfium/test/build-pdf.ts'

/** Returns the same numbers from 0 to 1 for the same seed (a linear congruential generator). */
export function createRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

// biome-ignore format: a list of words
const words = [
  '<<', '>>', '[', ']', '(', ')', '/', '%', '\n', ' ', '-1', '0', '1', '65536', '2147483648', '9e99', 'null', 'true',
  ' 1 0 R', ' 3 0 R', ' 99 0 R', '/Type', '/Kids', '/Length', '/Filter/FlateDecode', '/Contents', '/Parent', 'stream',
  'endstream', 'endobj', 'q', 'Q', 'BI', 'ID', 'EI', 'BDC', 'EMC', 'Do', 'BT', 'ET', '\0', '\xff', '\xff\xd9',
]

/** Applies one to four typical kinds of damage or manipulation: bytes changed, lost or repeated, and words inserted. */
export function mutate(file: Uint8Array, random: () => number): Buffer {
  let mutated: Buffer = Buffer.from(file)
  const upTo = (limit: number) => Math.floor(random() * limit)
  for (let left = 1 + upTo(4); left > 0; left--) {
    const at = upTo(mutated.length)
    const length = 1 + upTo(random() < 0.2 ? 200 : 8)
    const end = Math.min(mutated.length, at + length)
    const by: Piece[] = [
      Buffer.of(upTo(256)),
      '',
      joinPieces(mutated.subarray(at, end), mutated.subarray(at, end)),
      words[upTo(words.length)] ?? '',
      mutated.subarray(upTo(at + 1)).subarray(0, length),
    ]
    mutated = joinPieces(mutated.subarray(0, at), by[upTo(by.length)] ?? '', mutated.subarray(end))
  }
  return mutated
}
