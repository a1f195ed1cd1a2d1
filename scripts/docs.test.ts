import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { configurationPage, renderConfigurationPage } from './generate-schema.ts'

type Row = { id: string; requirement: string; test: string }

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const readRows = (page: string): Row[] => parse(read(`docs/requirements/${page}.csv`), { columns: true })
const pages = { threats: readRows('threats'), asvs: readRows('asvs'), spec: readRows('spec') }
const rows = Object.values(pages).flat()

/** Several tests of a row are separated by `; `. An ASVS row can begin with a reason instead of a test. */
const splitCell = (cell: string) => cell.split('; ').filter(Boolean)
const isReason = (part: string) => /^(not applicable|deviation|documented): \w/.test(part)
const isNamed = (part: string) => {
  const [, path = '', title = ''] = /^([\w./-]+\.(?:tsx?|grit|yml))#(.+)$/.exec(part) ?? []
  return title !== '' && existsSync(new URL(`../${path}`, import.meta.url)) && read(path).includes(title)
}
const countBy = (names: (string | undefined)[]) =>
  Object.fromEntries(Object.entries(Object.groupBy(names, String)).map(([name, all]) => [name, all?.length]))

it('the requirements contain every row once', () => {
  const ids = Object.entries(pages).flatMap(([page, ofPage]) => ofPage.map(({ id }) => `${page} ${id}`))
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  const threats = countBy(pages.threats.map(({ id }) => /^[A-I](?=[1-9]\d?$)/.exec(id)?.[0]))
  expect(threats).toEqual({ A: 17, B: 11, C: 20, D: 11, E: 25, F: 12, G: 12, H: 6, I: 22 })
  const chapters = countBy(pages.asvs.map(({ id }) => /^v5\.0\.0-(\d+)(?=\.\d+\.\d+$)/.exec(id)?.[1]))
  const chapterSizes = [19, 10, 18, 4, 9, 29, 15, 6, 7, undefined, 14, 8, 13, 9, 13, 16]
  expect(chapters).toEqual(Object.fromEntries(chapterSizes.flatMap((size, at) => (size ? [[at + 1, size]] : []))))
  const sections = countBy(pages.spec.map(({ id }) => /^(\d|extra)(?=\.\d+$)/.exec(id)?.[0]))
  expect(sections).toEqual({ 2: 28, 3: 4, 4: 11, 5: 9, 6: 3, 7: 16, 8: 11, 9: 4, extra: 16 })
})

it('the requirements say what must hold, and name a test or a reason', () => {
  expect(rows.filter(({ requirement }) => !/^\S.+\.$/.test(requirement))).toEqual([])
  const unproved = rows.filter(({ test }) => splitCell(test).length === 0).map(({ id }) => id)
  expect(unproved).toEqual([])
})

it('the requirements name only tests that exist', () => {
  const missing = Object.entries(pages).flatMap(([page, ofPage]) =>
    ofPage.flatMap(({ id, test }) =>
      splitCell(test)
        .filter((part, at) => !(page === 'asvs' && at === 0 && isReason(part)) && !isNamed(part))
        .map((part) => `${page} ${id}: ${part}`),
    ),
  )
  expect(missing).toEqual([])
})

it('docs/configuration.md is what `npm run schema` writes', () =>
  expect(readFileSync(configurationPage, 'utf8')).toBe(renderConfigurationPage()))
