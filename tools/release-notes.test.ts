import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findReleaseNotes } from './release-notes.ts'

test('the notes of a release are those of its version in the changelog', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- Later.\n\n## 1.2.0\n\n- Now.\n- Too.\n\n## 1.1.0\n\n- Once.\n'
  expect(findReleaseNotes('v1.2.0', '1.2.0', changelog)).toBe('- Now.\n- Too.')
  expect(() => findReleaseNotes('v1.2.0', '1.3.0', changelog)).toThrow('The tag v1.2.0 is not of version 1.3.0')
  expect(() => findReleaseNotes('v1.3.0', '1.3.0', changelog)).toThrow('CHANGELOG.md says nothing of 1.3.0')
  const unfinished = changelog.replace('- Now.\n- Too.\n', '')
  expect(() => findReleaseNotes('v1.2.0', '1.2.0', unfinished)).toThrow('CHANGELOG.md says nothing of 1.2.0')
})

test('workflows call scripts that exist', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const texts = globSync('.github/workflows/*.yml').map((file) => readFileSync(file, 'utf8'))
  const called = texts.flatMap((text) =>
    [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name),
  )
  expect(called).not.toEqual([])
  expect(called.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
})
