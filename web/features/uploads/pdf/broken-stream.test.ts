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
  ['whole', content, false],
  ['with bytes behind its end', Buffer.concat([content, Buffer.from('\n\n')]), false],
  ['filled with zeroes', overwritten(() => 0), true],
  ['filled with noise', overwritten((at) => (at * 7919 + 13 * at * at) & 255), true],
  ['cut off', content.subarray(0, content.length / 2), true],
])('compressed data that is %s is broken: %j', async (_, data, isBroken) => {
  expect(await hasBrokenStream(file(data))).toBe(isBroken)
})
