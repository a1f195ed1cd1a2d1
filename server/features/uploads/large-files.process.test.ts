import { expect, it } from 'vitest'
import { createUser, openTestApp } from '../../testing/app.ts'
import { field, file, goodFields, upload } from '../../testing/form.ts'
import { pdfOfBytes } from '../../testing/pdf-kinds.ts'
import { expectNoOrphanedFiles } from '../../testing/storage-assertions.ts'

const test = await openTestApp({ MAX_FILE_MB: '26', MAX_FILES: '1' })

// An anonymous file passes both tasks of the PDF tools, which have their own size limit.
it('takes a file as large as the operator allows', async () => {
  const user = await createUser(test)
  const parts = [...goodFields, field('isAnonymous', 'true'), file(pdfOfBytes(26 * 2 ** 20))]
  expect((await upload(test, user, parts)).statusCode).toBe(201)
  await expectNoOrphanedFiles(test)
})
