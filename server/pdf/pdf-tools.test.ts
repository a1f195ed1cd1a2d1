import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { createPdfTools, type PdfTools, type PdfToolsOptions } from './pdf-tools.ts'
import { buildPdf } from './test/build-pdf.ts'
import {
  brokenFiles,
  makeBomb,
  makeEncryptedFile,
  makeEndlessFile,
  makeExplodingFile,
  makeTrickyFiles,
} from './test/hostile-files.ts'

const good = buildPdf()
const ok = { kind: 'ok', pageCount: 1 }
const unreadable = { kind: 'unreadable' }

const opened: PdfTools[] = []
function open(options: Partial<PdfToolsOptions> = {}) {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
  const tools = createPdfTools({ log, maxThreads: 1, ...options })
  opened.push(tools)
  return { tools, lines }
}
afterEach(() => Promise.all(opened.splice(0).map((tools) => tools.close())))

describe('PDF tools', () => {
  it('inspect and anonymise in a thread, and leave the bytes they are given alone', async () => {
    const { tools, lines } = open()
    const bytes = Buffer.from(good)
    expect(await tools.inspect(bytes)).toEqual(ok)
    const copy = await tools.anonymise(bytes)
    expect(copy && (await tools.inspect(copy))).toEqual(ok)
    expect(bytes.equals(good)).toBe(true)
    expect(lines).toEqual([])
  })

  it('answer for every broken file without losing a thread', async () => {
    const { tools, lines } = open()
    for (const file of Object.values(brokenFiles)) {
      expect(await tools.inspect(file)).toEqual(unreadable)
      expect(await tools.anonymise(file)).toBeNull()
    }
    expect(await tools.inspect(await makeEncryptedFile('secret'))).toEqual({ kind: 'locked' })
    expect(await tools.anonymise(await makeEncryptedFile('secret'))).toBeNull()
    expect(lines).toEqual([])
  })

  it.each(Object.entries(makeTrickyFiles()))('are done soon with %s', async (_what, file) => {
    const { tools } = open()
    expect(['ok', 'unreadable']).toContain((await tools.inspect(file)).kind)
    const copy = await tools.anonymise(file)
    if (copy) expect((await tools.inspect(copy)).kind).toBe('ok')
    expect(await tools.inspect(good)).toEqual(ok)
  })

  it('end a thread that does not come to an end, and go on with another', async () => {
    const { tools, lines } = open({ timeoutsMs: { inspect: 2_000, anonymise: 2_000 } })
    expect(await tools.inspect(makeEndlessFile())).toEqual(unreadable)
    expect(await tools.anonymise(makeEndlessFile())).toBeNull()
    expect(lines.map((line) => JSON.parse(line).reason)).toEqual(['timeout', 'timeout'])
    expect(await patiently(tools).inspect(good)).toEqual(ok)
  })

  it('give up a file that wants more memory than there is for it', async () => {
    const { tools } = open()
    const bomb = await makeBomb(400)
    const before = process.memoryUsage.rss()
    for (const file of [bomb, makeExplodingFile()]) {
      expect(await tools.inspect(file)).toEqual(unreadable)
      expect(await tools.anonymise(file)).toBeNull()
    }
    expect(process.memoryUsage.rss() - before).toBeLessThan(512 * 1024 * 1024)
    expect(await tools.inspect(good)).toEqual(ok)
  })

  it('refuse a file over the limit without a look at it', async () => {
    const { tools } = open({ maxFileBytes: good.length - 1 })
    expect(await tools.inspect(good)).toEqual(unreadable)
    expect(await tools.anonymise(good)).toBeNull()
  })

  it('take their turn, and say busy when too many wait', async () => {
    const { tools } = open({ maxWaiting: 2 })
    const answers = Array.from({ length: 5 }, () => tools.inspect(good).catch((error: unknown) => error))
    const refused = expect.objectContaining({ code: 'busy', retryAfterSeconds: 5 })
    expect(await Promise.all(answers)).toEqual([ok, ok, ok, refused, refused])
    expect(await tools.inspect(good)).toEqual(ok)
  })

  it('close in the middle of work', async () => {
    const { tools } = open({ maxWaiting: 5 })
    const work = [tools.inspect(makeEndlessFile()), tools.inspect(good)].map((answer) => answer.catch(() => 'ended'))
    await tools.close()
    expect(await Promise.all(work)).toEqual(['ended', 'ended'])
    await expect(tools.inspect(good)).rejects.toThrow()
  })
})

/** A loaded machine may take its time to start a thread: what counts is that it does. */
const patiently = (tools: PdfTools): Pick<PdfTools, 'inspect'> => ({
  async inspect(bytes) {
    const deadline = Date.now() + 20_000
    for (;;) {
      const answer = await tools.inspect(bytes)
      if (answer.kind === 'ok' || Date.now() > deadline) return answer
    }
  },
})
