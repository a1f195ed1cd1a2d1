/** One metric as Prometheus reads it. */
export type Family = { type: string; help: string; samples: Sample[] }
type Sample = { name: string; labels: Record<string, string>; value: number }

const label = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"`
const sampleLine = new RegExp(String.raw`^([a-zA-Z_:][\w:]*)(?:\{(${label}(?:,${label})*)?,?\})? (\S+)$`)

/** Parses the text format as strictly as Prometheus. @throws when a line is invalid. */
export function readExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line does not end')
  const families = new Map<string, Family>()
  const familyOf = (name: string) => {
    const family = families.get(name) ?? { type: 'untyped', help: '', samples: [] }
    families.set(name, family)
    return family
  }
  const seen = new Set<string>()
  for (const line of text.slice(0, -1).split('\n')) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (keyword === 'HELP') familyOf(name).help = rest
    else if (keyword === 'TYPE') familyOf(name).type = rest
    else if (line !== '') {
      const sample = readSample(line)
      const series = line.slice(0, line.lastIndexOf(' '))
      if (seen.has(series)) throw new Error(`Twice: ${series}`)
      seen.add(series)
      const base = sample.name.replace(/_(bucket|sum|count)$/, '')
      familyOf(families.get(base)?.type === 'histogram' ? base : sample.name).samples.push(sample)
    }
  }
  return families
}

function readSample(line: string): Sample {
  const [, name, labels = '', text = ''] = sampleLine.exec(line) ?? []
  const value = text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text)
  if (name === undefined || (Number.isNaN(value) && text !== 'Nan')) throw new Error(`No sample: ${line}`)
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', said = '']) => [key, said])
  return { name, labels: Object.fromEntries(pairs), value }
}

/** Returns the sum of the samples with these labels. */
export function sumOf(families: Map<string, Family>, name: string, labels: Record<string, string> = {}): number {
  const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''))
  if (!family) throw new Error(`There is no ${name}`)
  return family.samples
    .filter(
      (sample) => sample.name === name && Object.entries(labels).every(([key, said]) => sample.labels[key] === said),
    )
    .reduce((sum, { value }) => sum + value, 0)
}
