export type Sample = { name: string; labels: Record<string, string>; value: number }

/**
 * Returns the samples of Prometheus’ text format. That Prometheus itself reads it, `*.prometheus.test.ts` proves.
 * @throws when a line is none.
 */
export const readSamples = (text: string): Sample[] =>
  text.match(/^[^#\n].*$/gm)?.map((line) => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (name === undefined) throw new Error(`No sample: ${line}`)
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text])
    return { name, labels: Object.fromEntries(pairs), value: Number(value) }
  }) ?? []

/** Returns the sum of the samples with these labels. @throws when there is no sample of the name. */
export function sumOf(samples: Sample[], name: string, labels: Record<string, string> = {}): number {
  const named = samples.filter((sample) => sample.name === name)
  if (named.length === 0) throw new Error(`There is no ${name}`)
  return named
    .filter((sample) => Object.entries(labels).every(([key, said]) => sample.labels[key] === said))
    .reduce((sum, { value }) => sum + value, 0)
}
