import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

// docs/decisions/0020-plain-css.md, held.

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
const find = (pattern: string) => globSync(pattern, { cwd: import.meta.dirname }).sort()

/** The sheet of what belongs to no component; main.tsx imports it for all. */
const shared = 'styles.css'
const sheets = new Map(find('**/*.css').map((name) => [name, classesOf(read(name))]))
const components = find('**/*.tsx').map((name) => {
  const source = read(name)
  const imports = [...source.matchAll(/import '([^']+\.css)'/g)].map(([, path = '']) =>
    normalize(join(dirname(name), path)),
  )
  return { name, source, sheets: [...new Set([...imports, shared])] }
})
const indexHtml = { name: 'index.html', source: read('index.html'), sheets: [...sheets.keys()] }

/** The classes in the selectors of a sheet. */
function classesOf(css: string): Set<string> {
  const selectors = css.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{};]+)\{/g)
  return new Set(
    [...selectors]
      .map(([, selector = '']) => selector.trim())
      .filter((selector) => !selector.startsWith('@'))
      .flatMap((selector) => [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name)),
  )
}

/** The classes that a component's source puts on elements: in `className`, `class` and calls of `classes()`. */
function usedIn(source: string): string[] {
  const attributes = [...source.matchAll(/\bclass(?:Name)?="([^"]*)"/g)].map(([, names]) => names)
  const expressions = [...source.matchAll(/\bclassName=\{|\bclasses\(/g)].flatMap(({ index, 0: start }) =>
    // What a class depends on is no class: `kind === 'failed'`.
    [...enclosed(source, index + start.length - 1).matchAll(/([!=]== )?'([^']*)'/g)].map(([, compared, names]) =>
      compared ? '' : names,
    ),
  )
  return [...attributes, ...expressions].flatMap((names) => names?.split(/\s+/).filter(Boolean) ?? [])
}

/** From the bracket at `start` to the one that closes it. */
function enclosed(source: string, start: number): string {
  let depth = 0
  for (let end = start; end < source.length; end++) {
    if ('({'.includes(source.charAt(end))) depth++
    else if (')}'.includes(source.charAt(end)) && --depth === 0) return source.slice(start, end)
  }
  throw new Error('A bracket is not closed')
}

const mentions = (source: string, name: string) => new RegExp(`["'\\s]${name}["'\\s]`).test(source)
const kebab = (name: string) => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase()
const owned = (sheet: string, name: string) =>
  sheet === shared || name === basename(sheet, '.css') || name.startsWith(`${basename(sheet, '.css')}-`)

test('every sheet stands beside the component it is named after', () => {
  const hasComponent = (sheet: string) =>
    find(`${dirname(sheet)}/*.tsx`).some((name) => kebab(basename(name, '.tsx')) === basename(sheet, '.css'))
  expect([...sheets.keys()].filter((sheet) => sheet !== shared && !hasComponent(sheet))).toEqual([])
})

test('a sheet names its own classes, and classes of other sheets only inside them', () => {
  const known = new Set([...sheets].flatMap(([sheet, names]) => [...names].filter((name) => owned(sheet, name))))
  const strange = [...sheets].flatMap(([sheet, names]) =>
    [...names].filter((name) => !known.has(name)).map((name) => `${sheet}: ${name}`),
  )
  expect(strange).toEqual([])
})

test('every class of a sheet is worn by a component that imports the sheet', () => {
  const unworn = [...sheets].flatMap(([sheet, names]) => {
    const wearers = [...components, indexHtml].filter((each) => each.sheets.includes(sheet))
    const isWorn = (name: string) => wearers.some(({ source }) => mentions(source, name))
    return [...names].filter((name) => owned(sheet, name) && !isWorn(name)).map((name) => `${sheet}: ${name}`)
  })
  expect(unworn).toEqual([])
})

test('a component wears only classes of the sheets it imports', () => {
  const undefinedClasses = [...components, indexHtml].flatMap(({ name, source, sheets: own }) => {
    const defined = own.flatMap((sheet) => [...(sheets.get(sheet) ?? [])].filter((each) => owned(sheet, each)))
    return usedIn(source)
      .filter((each) => !defined.includes(each))
      .map((each) => `${name}: ${each}`)
  })
  expect(undefinedClasses).toEqual([])
})
