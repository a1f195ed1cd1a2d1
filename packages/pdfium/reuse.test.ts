import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { canary, canaryFiles } from '../pdf-anonymiser/test/canary-files.ts'
import { visualFixtures } from '../pdf-anonymiser/test/visual-fixtures.ts'
import { createPdfium, isPdfiumReady, withPdfium } from './pdfium.ts'
import { type StartedPdfium, startPdfium } from './pdfium-wasm.ts'
import { buildPdf } from './test/build-pdf.ts'
import { brokenFiles, makeBomb, makeEncryptedFile, makeTrickyFiles } from './test/hostile-files.ts'

const maxHeapBytes = 256 * 2 ** 20
const initialBytes = (await startPdfium()).exports.memory.buffer.byteLength
/** Other hostile files take seconds each. */
const files: Record<string, Uint8Array> = {
  ...brokenFiles,
  ...makeTrickyFiles(),
  ...visualFixtures,
  'a bomb': await makeBomb(40),
  'an encrypted file': await makeEncryptedFile('secret'),
}

/** Returns all state in which two instances can differ. */
function stateOf({ exports }: StartedPdfium) {
  const table = exports.__indirect_function_table
  return {
    memory: Buffer.from(exports.memory.buffer.slice(0)),
    globals: Object.entries(exports)
      .filter(([name]) => name.startsWith('exposed_global_'))
      .map(([name, global]) => [name, (global as unknown as WebAssembly.Global).value]),
    functions: Array.from({ length: table.length }, (_, at) => table.get(at)),
  }
}

function expectSame(now: ReturnType<typeof stateOf>, before: ReturnType<typeof stateOf>) {
  expect(now.memory.equals(before.memory)).toBe(true)
  expect(now.globals).toEqual(before.globals)
  expect(now.functions.length).toBe(before.functions.length)
  expect(now.functions.every((one, at) => one === before.functions[at])).toBe(true)
}

/** Runs every operation on the file with a PDFium that is restored afterwards. */
const readAll = (bytes: Uint8Array) =>
  withPdfium(maxHeapBytes, ({ open }) => {
    const document = open(bytes)
    if (typeof document === 'string') return document
    const image = document.renderImage(0, { width: 640, maxRatio: 3 })
    return {
      objects: document.countPageObjects(0),
      text: document.readText(0, 100_000),
      outline: document.readOutline(100),
      characters: document.readCharacters(0),
      pixels: image && createHash('sha256').update(image.pixels).digest('hex'),
      saved: document.save(maxHeapBytes)?.length,
    }
  }).catch((error: Error) => error.name)

it('a PDFium that is reset is identical to the byte, its variables and functions included', async () => {
  const pdfium = await startPdfium()
  const before = stateOf(pdfium)
  expect(before.globals.length).toBeGreaterThan(0)
  expect(before.memory.includes('Lorem canary')).toBe(false)
  const { exports } = pdfium
  const file = buildPdf({ content: 'BT /F1 24 Tf 20 150 Td (Lorem canary) Tj ET' })
  const data = exports.malloc(file.length)
  new Uint8Array(exports.memory.buffer).set(file, data)
  expect(exports.FPDF_LoadPage(exports.FPDF_LoadMemDocument(data, file.length, 0), 0)).not.toBe(0)
  expect(stateOf(pdfium).memory.includes('Lorem canary')).toBe(true)
  expect(pdfium.restoreSnapshot()).toBe(true)
  expectSame(stateOf(pdfium), before)
})

it('a PDFium that is put back is so too when a file had its way with memory and variables', async () => {
  const pdfium = await startPdfium()
  const before = stateOf(pdfium)
  new Uint8Array(pdfium.exports.memory.buffer).fill(0xab)
  for (const [name, global] of Object.entries(pdfium.exports))
    if (name.startsWith('exposed_global_')) (global as unknown as WebAssembly.Global).value = 4_242
  expect(pdfium.restoreSnapshot()).toBe(true)
  expectSame(stateOf(pdfium), before)
})

it.each<[string, (pdfium: StartedPdfium) => void]>([
  ['the requested memory', ({ exports }) => void exports.malloc(initialBytes)],
  [
    'a function that was put into its table',
    ({ exports: { __indirect_function_table: table } }) => table.set(7, table.get(8)),
  ],
  ['a function that is still called back', ({ exports }) => exports.setWriteBlock(() => 1)],
])('a PDFium that is put back is not used again with %s', async (_what, change) => {
  const pdfium = await startPdfium()
  change(pdfium)
  expect(pdfium.restoreSnapshot()).toBe(false)
})

it('a PDFium that is reset respects the new memory limit', async () => {
  const pdfium = await startPdfium()
  pdfium.limitHeap(initialBytes)
  expect(pdfium.exports.malloc(initialBytes)).toBe(0)
  pdfium.limitHeap(3 * initialBytes)
  expect(pdfium.exports.malloc(initialBytes)).not.toBe(0)
})

const good = buildPdf({ content: 'BT /F1 24 Tf 20 150 Td (Eigenvalues) Tj ET' })

it('a PDFium that is lent reads a file as a new one does, after any other file', { timeout: 300_000 }, async () => {
  const expected = await readAll(good)
  const document = (await createPdfium(maxHeapBytes)).open(good)
  if (typeof document === 'string') throw new Error(document)
  expect(expected).toMatchObject({ text: document.readText(0, 100), saved: document.save(maxHeapBytes)?.length })
  for (const [name, file] of Object.entries(files)) {
    await readAll(file)
    expect(await readAll(good), name).toEqual(expected)
  }
})

it('a PDFium that is lent is not lent again after a file that it stopped at', async () => {
  const read = await readAll(good)
  expect(isPdfiumReady()).toBe(true)
  await expect(withPdfium(maxHeapBytes, () => Promise.reject(new Error('stopped')))).rejects.toThrow('stopped')
  expect(isPdfiumReady()).toBe(false)
  expect(await readAll(good)).toEqual(read)
})

it('a PDFium that is lent opens nothing after its time, and is not shared until then', async () => {
  const kept = await withPdfium(maxHeapBytes, async (pdfium) => {
    expect(isPdfiumReady()).toBe(false)
    expect(await readAll(good)).toMatchObject({ text: 'Eigenvalues' })
    return pdfium
  })
  expect(() => kept.open(good)).toThrow('not lent')
})

it('a PDFium that is lent holds no name of an earlier user', async () => {
  const [file] = Object.values(canaryFiles)
  if (!file) throw new Error('There are no files')
  await readAll(file)
  const said = JSON.stringify(await readAll(good))
  expect(said).not.toContain(canary)
})
