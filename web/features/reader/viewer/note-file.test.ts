import { afterEach, expect, it, vi } from 'vitest'
import type { Pdfjs } from './note-file.ts'
import { createTransport } from './note-file.ts'

const totalBytes = 2 ** 20
const etag = '"1"'
const byteAt = (at: number) => at % 251
const bytesOf = (start: number, end: number) => Uint8Array.from({ length: end - start }, (_, at) => byteAt(start + at))

/** The part of the pdf.js class that the tests need. */
class PDFDataRangeTransport {
  received: [begin: number, bytes: Uint8Array][] = []
  onDataRange(begin: number, bytes: Uint8Array) {
    this.received.push([begin, bytes])
  }
}

type Told = { stalled: (string | null)[]; lost: unknown[] }

/** A transport whose server answers with `refuse`, or else with the requested range. */
function open(refuse: (request: number) => Response | null) {
  const ranges: string[] = []
  vi.stubGlobal('window', { addEventListener() {}, removeEventListener() {} })
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
    const [start = 0, end = 0] = (/bytes=(\d+)-(\d+)/.exec(headers.range ?? '')?.slice(1) ?? []).map(Number)
    ranges.push(`${start} to ${end + 1}`)
    const range = `bytes ${start}-${end}/${totalBytes}`
    const found = new Response(bytesOf(start, end + 1), { status: 206, headers: { etag, 'content-range': range } })
    return refuse(ranges.length) ?? found
  })
  const events: Told = { stalled: [], lost: [] }
  const first = { bytes: bytesOf(0, 10), totalBytes, etag }
  const transport = createTransport({ pdfjs: { PDFDataRangeTransport } } as unknown as Pdfjs, 'a', first, [], {
    onStalled: (reason) => events.stalled.push(reason),
    onChanged: () => {},
    onLost: (failure) => events.lost.push(failure),
  })
  return { transport, received: (transport as unknown as PDFDataRangeTransport).received, ranges, events }
}

const refusal = (status: number, code: string, message: string, headers = {}) =>
  new Response(JSON.stringify({ code, message }), { status, headers })

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('a large range comes in parts, of which only a lost one is requested again', async () => {
  vi.useFakeTimers()
  const { transport, received, ranges } = open((request) => (request === 2 ? refusal(502, '', '') : null))
  transport.requestDataRange(100, 700_100)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(received).toHaveLength(1)
  expect(received[0]?.[0]).toBe(100)
  expect(Buffer.from(received[0]?.[1] ?? []).equals(bytesOf(100, 700_100))).toBe(true)
  expect(ranges).toEqual(['100 to 262244', '262244 to 524388', '262244 to 524388', '524388 to 700100'])
})

it('waits as long as it is asked to, and shows why', async () => {
  vi.useFakeTimers()
  const message = 'Too many attempts. Please try again in a minute.'
  const asked = refusal(429, 'rate_limited', message, { 'retry-after': '7' })
  const { transport, received, ranges, events } = open((request) => (request === 1 ? asked : null))
  transport.requestDataRange(0, 100)
  await vi.advanceTimersByTimeAsync(6_900)
  expect([ranges.length, events.stalled]).toEqual([1, [message]])
  await vi.advanceTimersByTimeAsync(200)
  expect([received.length, events.stalled]).toEqual([1, [message, null]])
})

it('a missing file is no lost connection, and is not requested again', async () => {
  const { transport, ranges, events } = open(() => refusal(500, 'file_missing', 'This note’s file is missing.'))
  transport.requestDataRange(0, 100)
  await expect.poll(() => events.lost).toMatchObject([{ code: 'file_missing' }])
  expect([ranges.length, events.stalled]).toEqual([1, []])
})
