import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { joinPieces } from '../../pdfium/test/build-pdf.ts'
import { readBoxNumbers } from './boxes.ts'

const kibibyte = 1024

it('reads the numbers of boxes in packed objects, for which damaged ones leave less', async () => {
  const packed = deflateSync('<</MediaBox[0 0 595.123456789 842]>>')
  const file = joinPieces('/ObjStm stream\nx'.repeat(10), '/ObjStm stream\n', packed)
  const value = 595.123456789
  expect((await readBoxNumbers(file, 1_000 * kibibyte)).get(Math.fround(value))).toBe(value)
  expect((await readBoxNumbers(file, 20 * kibibyte)).size).toBe(0)
})

it('looks at a limited number of places', async () => {
  const file = joinPieces('Box'.repeat(200_000), '/MediaBox[0 0 9 9]')
  expect((await readBoxNumbers(file, kibibyte)).size).toBe(0)
})
