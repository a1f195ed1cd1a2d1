import { it } from 'vitest'
import { createUser, openTestApp } from '../../testing/app.ts'
import { uploadNote } from '../../testing/form.ts'
import { pdfOfBytes } from '../../testing/pdf-kinds.ts'
import { expectNoOrphanedFiles } from '../../testing/storage-assertions.ts'

const test = await openTestApp({ MAX_FILE_MB: '26', MAX_FILES: '1' })

// An anonymous file passes both tasks of the PDF tools, which have their own size limit.
it('takes a file as large as the operator allows', async () => {
  const user = await createUser(test)
  await uploadNote(test, user, pdfOfBytes(26 * 2 ** 20), { isAnonymous: true })
  await expectNoOrphanedFiles(test)
})
