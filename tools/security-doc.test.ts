import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const page = await readFile(`${root}docs/security.md`, 'utf8')

/** The rows that have to be there: how many each part has, and how many requirements of levels 1 and 2 each chapter. */
const parts = { A: 17, B: 11, C: 20, D: 11, E: 25 }
const chapters = {
  1: 19,
  2: 10,
  3: 18,
  4: 4,
  5: 9,
  6: 29,
  7: 15,
  8: 6,
  9: 7,
  11: 14,
  12: 8,
  13: 13,
  14: 9,
  15: 13,
  16: 16,
}

const rows = [...page.matchAll(/^\| ([A-E]\d+|\d+\.\d+\.\d+) \|(.*)\|$/gm)].map(([, id = '', cells = '']) => ({
  id,
  cells: cells.split(/(?<!\\) \| /).map((cell) => cell.trim()),
}))
const reason = /^\*\*(Not built|Not applicable|Deviation):\*\* \S/
const findProofs = (text: string) =>
  [...text.matchAll(/`([\w./-]+\.(?:tsx?|md))` “([^”]+)”/g)].map(([, file = '', title = '']) => ({ file, title }))

it('has every row once', () => {
  const count = (belongs: (id: string) => boolean) => new Set(rows.map(({ id }) => id).filter(belongs)).size
  const ofPart = (part: string) => count((id) => id.startsWith(part))
  expect(Object.fromEntries(Object.keys(parts).map((part) => [part, ofPart(part)]))).toEqual(parts)
  const ofChapter = (chapter: string) => count((id) => id.startsWith(`${chapter}.`))
  expect(Object.fromEntries(Object.keys(chapters).map((chapter) => [chapter, ofChapter(chapter)]))).toEqual(chapters)
  expect(rows).toHaveLength(new Set(rows.map(({ id }) => id)).size)
})

it.each(rows)('$id has what must hold, and a proof or a reason', ({ cells }) => {
  expect(cells).toHaveLength(2)
  const [what = '', proof = ''] = cells
  expect(what).toMatch(/\w/)
  if (!reason.test(proof)) {
    expect(findProofs(proof)).not.toEqual([])
    // Nothing but proofs: what is said besides belongs to what must hold.
    expect(proof.replaceAll(/`[^`]+` “[^”]+”/g, '').replaceAll(/[;\s]/g, '')).toBe('')
  }
})

it.each(findProofs(page))('$file has “$title”', async ({ file, title }) => {
  const text = await readFile(root + file, 'utf8')
  // The page itself is searched without its own rows.
  const searched = file === 'docs/security.md' ? text.replaceAll(/^\| (?:[A-E]\d+|\d+\.\d+\.\d+) \|.*$/gm, '') : text
  expect(searched).toContain(title)
})
