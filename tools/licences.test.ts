import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
type Package = { license?: string; dev?: boolean }
const { packages }: { packages: Record<string, Package> } = JSON.parse(
  await readFile(`${root}package-lock.json`, 'utf8'),
)

/** Ask for nothing but their own text to be kept. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Zlib',
])
/** Others, by the packages that may have them. */
const exceptions: { packages: RegExp; license: string; reason: string }[] = [
  {
    packages: /^@img\/sharp-(libvips-|win32-|wasm32)/,
    license: 'LGPL-3.0-or-later',
    reason:
      'libvips is linked as a library that whoever installs Lectern can replace; it is neither changed nor copied',
  },
  {
    packages: /^(@expo-google-fonts\/|@fontsource-variable\/)/,
    license: 'OFL-1.1',
    reason: 'fonts, which may be passed on and cut to some characters; none is sold by itself or keeps a reserved name',
  },
  {
    packages: /^(@axe-core\/playwright|axe-core|lightningcss(-.+)?)$/,
    license: 'MPL-2.0',
    reason: 'only builds and tests; nothing of it is shipped, and its files are not changed',
  },
  {
    packages: /^argparse$/,
    license: 'Python-2.0',
    reason: 'as permissive as BSD, under the name of where it came from',
  },
]
/** Say nothing in the lock file. */
const silent: { packages: RegExp; license: string; reason: string }[] = [
  {
    packages: /^@biomejs\/cli-/,
    license: 'MIT',
    reason: 'the programs of @biomejs/biome, which says MIT OR Apache-2.0',
  },
  { packages: /^png-js$/, license: 'MIT', reason: 'has a file LICENSE with the text of MIT' },
]

const nameOf = (path: string) => path.split('node_modules/').at(-1) ?? ''
const shipped = Object.entries(packages).filter(([path]) => path !== '')

function mayBe(name: string, license: string): boolean {
  if (allowed.has(license)) return true
  return exceptions.some((exception) => exception.license === license && exception.packages.test(name))
}

/** As SPDX writes them: of `OR` one is enough, of `AND` all have to be allowed. */
function isAllowed(name: string, expression: string): boolean {
  const ways = expression.replace(/^\((.*)\)$/, '$1').split(' OR ')
  return ways.some((way) => way.split(' AND ').every((license) => mayBe(name, license)))
}

it('every package that Lectern is made with has a licence on the list', () => {
  expect(shipped.length).toBeGreaterThan(300)
  const refused = shipped.flatMap(([path, { license }]) => {
    const name = nameOf(path)
    const said = license ?? silent.find(({ packages }) => packages.test(name))?.license
    return said !== undefined && isAllowed(name, said) ? [] : [`${name}: ${said}`]
  })
  expect(refused).toEqual([])
})

it('every exception is needed', () => {
  const isMet = ({ packages, license }: (typeof exceptions)[number]) =>
    shipped.some(([path, given]) => packages.test(nameOf(path)) && (given.license ?? license).includes(license))
  expect([...exceptions, ...silent].filter((exception) => !isMet(exception))).toEqual([])
})

it('what is only for building and testing stays out of what is shipped', () => {
  const ofTests = shipped.filter(([path]) =>
    exceptions.some((one) => one.license === 'MPL-2.0' && one.packages.test(nameOf(path))),
  )
  expect(ofTests.filter(([, { dev }]) => !dev)).toEqual([])
})

it('a licence that is on no list is noticed', () => {
  expect(isAllowed('somebody', 'GPL-3.0-only')).toBe(false)
  expect(isAllowed('somebody', 'MIT AND GPL-3.0-only')).toBe(false)
  expect(isAllowed('somebody', '(MIT OR GPL-3.0-only)')).toBe(true)
  expect(isAllowed('somebody', 'LGPL-3.0-or-later')).toBe(false)
})
