import { afterAll, expect, it } from 'vitest'
import { makeBomb } from '../../../../packages/pdfium/test/hostile-files.ts'
import { createPdfTools } from '../../../platform/pdf/pdf-tools.ts'
import { createNote, createUser, openTestApp } from '../../../testing/app.ts'
import { quietLog } from '../../../testing/log.ts'
import { documentOf } from '../../../testing/stored-files.ts'
import { readText } from './text.ts'

const test = await openTestApp()
const folder = `${test.deps.config.dataDir}/spool`
const pdf = createPdfTools({ log: quietLog, folder, timeoutsMs: { readText: 600_000 } })
afterAll(() => pdf.close())

it('gives up a file that eats memory', async () => {
  const noteId = await createNote(test, await createUser(test), { content: await makeBomb(600) })
  const { id: documentId } = await documentOf(test, noteId)
  const { signal } = new AbortController()
  const read = (attempt: number) => readText({ ...test.deps, pdf }, { documentId }, { signal, attempt })
  for (const attempt of [1, 2]) await expect(read(attempt)).rejects.toThrow()
  await read(3)
  // Either the memory watch of the process or the heap limit of PDFium ends it; PDFium does not report the cause.
  expect(['memory', 'crash']).toContain((await documentOf(test, noteId)).text_error)
  expect(await test.deps.db.selectFrom('document_pages').select('page').execute()).toEqual([])
}, 600_000)
