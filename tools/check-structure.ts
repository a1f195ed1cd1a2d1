import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The direction of imports, types included: every arrow goes down, none stays between two rooms that may not know each
 * other, and none runs in a circle of files or of engines. Prints what is wrong and fails. Tests, and what only they use, may
 * look at anything.
 */
const root = fileURLToPath(new URL('../', import.meta.url))

type Layer = { name: string; holds: RegExp }

/** From the top down; a file belongs to the first layer that holds it, and imports from its own and those below. */
const server: Layer[] = [
  { name: 'the command', holds: /^server\/(main|start)\.ts$/ },
  { name: 'what puts the slices together', holds: /^server\/(app|jobs|open-deps)\.ts$/ },
  {
    name: 'slices',
    holds: /^server\/(?!(http|db|postgres|files|antivirus|pdf|mail|jobs|passwords|words|observe)\/)[\w-]+\//,
  },
  { name: 'deps.ts', holds: /^server\/deps\.ts$/ },
  { name: 'engines', holds: /^server\/[\w-]+\// },
  { name: 'leaves', holds: /^server\/[a-z-]+\.ts$/ },
]
const web: Layer[] = [
  { name: 'the entry', holds: /^web\/(main|vite\.config)\.tsx?$/ },
  { name: 'the routes', holds: /^web\/routes\.tsx$/ },
  { name: 'pages', holds: /^web\/(?!(session|api|ui)\/)[\w-]+\// },
  { name: 'the session', holds: /^web\/session\// },
  { name: 'engines', holds: /^web\/(api|ui)\// },
  { name: 'leaves', holds: /^web\// },
]
const contract: Layer[] = [{ name: 'the contract', holds: /^contract\// }]

const sides: Record<string, Layer[]> = { contract, server, web }

const slice = /^server\/(\w+)\//
const ofASliceAlone = /\.(queries|routes|jobs)\.ts$/
const anonymiser = /^server\/pdf\/anonymiser\//
/** All that it may know: it is a module for any PDF. */
const knownToAnonymiser = /^server\/pdf\/(anonymiser|pdfium)\//
const isTest = (file: string) => /\.test\.tsx?$|\/test\//.test(file)

function findSources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && !isTest(file))
}

function findImports(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  // What is loaded later, for its effects alone or by another thread or process is an arrow too.
  const imported = /(?:\bfrom|^import|\bimport\()\s*'(\.[^']+\.tsx?)'/gm
  const run = /\bnew URL\(\s*'(\.[^']+\.tsx?)',\s*import\.meta\.url\)/g
  const specifiers = [...text.matchAll(imported), ...text.matchAll(run)]
  return specifiers.map(([, specifier = '']) => posix.join(posix.dirname(file), specifier))
}

/** @returns what is wrong with an import, or null. */
function judge(layers: Layer[], from: string, to: string): string | null {
  const place = (file: string) => layers.findIndex(({ holds }) => holds.test(file))
  if (to.startsWith('contract/') && layers !== contract) return null
  if (isTest(to)) return 'only tests use the helpers of tests'
  if (anonymiser.test(from) && !knownToAnonymiser.test(to)) return 'the anonymiser knows nothing of ours'
  if (place(from) === -1) return 'is in no layer'
  if (place(to) === -1) return layers === contract ? 'the contract imports nothing of ours' : 'leads out of its side'
  if (place(to) < place(from)) return `from ${layers[place(from)]?.name} up to ${layers[place(to)]?.name}`
  const [one, other] = [slice.exec(from)?.[1], slice.exec(to)?.[1]]
  const areSlices = layers[place(to)]?.name === 'slices' && place(to) === place(from)
  if (areSlices && one !== other && ofASliceAlone.test(to)) return 'a slice calls another’s rules, never what is below'
  return null
}

/** Every circle once, from the file that closes it. */
function findCircles(graph: Map<string, string[]>): string[] {
  const circles: string[] = []
  const done = new Set<string>()
  function visit(file: string, path: string[]): void {
    const start = path.indexOf(file)
    if (start !== -1) circles.push([...path.slice(start), file].join(' → '))
    if (start !== -1 || done.has(file)) return
    for (const next of graph.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return circles
}

/** What the folders of the engines import of each other. */
function findRooms(graph: Map<string, string[]>): Map<string, string[]> {
  const engines = server.find(({ name }) => name === 'engines')
  const roomOf = (file: string) =>
    server.find(({ holds }) => holds.test(file)) === engines ? slice.exec(file)?.[1] : undefined
  const rooms = new Map<string, string[]>()
  for (const [file, imports] of graph) {
    const room = roomOf(file)
    const others = imports.map(roomOf).filter((other) => other !== undefined && other !== room) as string[]
    if (room) rooms.set(room, [...(rooms.get(room) ?? []), ...others])
  }
  return rooms
}

/** @param graph the imports of each file, by their paths from the root. @returns what is wrong with them. */
export function findWrongImports(graph: Map<string, string[]>): string[] {
  const problems: string[] = []
  for (const [file, imports] of graph) {
    for (const to of imports) {
      const problem = judge(sides[file.split('/')[0] ?? ''] ?? [], file, to)
      if (problem) problems.push(`${file} → ${to}: ${problem}`)
    }
  }
  const circles = [...findCircles(graph), ...findCircles(findRooms(graph))]
  return [...problems, ...circles.map((circle) => `A circle: ${circle}`)]
}

export function readGraph(): Map<string, string[]> {
  const files = Object.keys(sides).flatMap(findSources)
  return new Map(files.map((file) => [file, findImports(file)]))
}

if (import.meta.main) {
  const graph = readGraph()
  const problems = findWrongImports(graph)
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  process.stdout.write(`${graph.size} files, ${problems.length} wrong imports\n`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
