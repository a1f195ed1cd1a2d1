import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { hasBrokenStream } from './broken-stream.ts'

const content = deflateSync(Buffer.from(Array.from({ length: 5_000 }, (_, at) => `(${at}) Tj`).join('\n')))
const file = (data: Buffer) =>
  new Uint8Array(
    Buffer.concat([
      Buffer.from(`1 0 obj\n<< /Length ${data.length} /Filter /FlateDecode >>\nstream\n`),
      data,
      Buffer.from('\nendstream\nendobj\n'),
    ]),
  )
const overwritten = (byte: (at: number) => number) =>
  Buffer.from(content.map((old, at) => (at > content.length / 3 ? byte(at) : old)))

it.each([
  ['whole', false, content],
  ['with bytes behind its end', false, Buffer.concat([content, Buffer.from('\n\n')])],
  ['filled with zeroes', true, overwritten(() => 0)],
  ['filled with noise', true, overwritten((at) => (at * 7919 + 13 * at * at) & 255)],
  ['cut off', true, content.subarray(0, content.length / 2)],
])('compressed data that is %s is broken: %j', async (_, isBroken, data) => {
  expect(await hasBrokenStream(file(data))).toBe(isBroken)
})
