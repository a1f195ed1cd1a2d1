import { readFileSync } from 'node:fs'

/**
 * `node tools/release-notes.ts v1.2.0`: what the changelog says of that version, for its release.
 * @throws where the tag is not of this version, or nothing is said of it.
 */
export function findReleaseNotes(tag: string, version: string, changelog: string): string {
  if (tag !== `v${version}`) throw new Error(`The tag ${tag} is not of version ${version}, which package.json has.`)
  const sections = changelog.split(/^## /m)
  const notes = sections
    .find((section) => section.startsWith(`${version}\n`))
    ?.slice(version.length)
    .trim()
  if (!notes) throw new Error(`CHANGELOG.md says nothing of ${version}.`)
  return notes
}

if (import.meta.main) {
  const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
  try {
    const { version } = JSON.parse(read('package.json'))
    process.stdout.write(`${findReleaseNotes(process.argv[2] ?? '', version, read('CHANGELOG.md'))}\n`)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
