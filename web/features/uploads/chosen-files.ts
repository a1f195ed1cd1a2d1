import { errorMessage } from '../../../packages/contract/errors.ts'
import type { ClientConfig } from '../../../packages/contract/system.ts'

export type UploadLimits = Pick<ClientConfig, 'maxFiles' | 'maxFileMb'>
/** The files to add, the reasons for rejections, each once, and the names of files that broke a limit. */
export type Choice<T> = { files: T[]; refusals: string[]; rejectedFiles: string[] }

type FileFacts = Pick<File, 'name' | 'size' | 'type'>
const bytesPerMb = 1024 * 1024

/**
 * Selects the files that join the earlier ones (SPEC.md section 5). A file with the same name and size is dropped
 * silently; a file that is not a PDF, is too large or exceeds the count is rejected with a reason.
 */
export function chooseFiles<T extends FileFacts>(
  chosen: FileFacts[],
  added: Iterable<T>,
  limits: UploadLimits,
  shared: FileFacts[] = [],
): Choice<T> {
  const files: T[] = []
  const refusals = new Set<string>()
  const rejectedFiles: string[] = []
  for (const file of added) {
    const all = [...chosen, ...files]
    if ([...all, ...shared].some((kept) => kept.name === file.name && kept.size === file.size)) continue
    if (!looksLikePdf(file)) {
      refusals.add(errorMessage('upload_not_pdf', { fileName: file.name }))
    } else if (file.size > limits.maxFileMb * bytesPerMb || all.length >= limits.maxFiles) {
      refusals.add(errorMessage('upload_limit', { maxFiles: limits.maxFiles, maxSizeMb: limits.maxFileMb }))
      const isTooLarge = file.size > limits.maxFileMb * bytesPerMb
      rejectedFiles.push(
        isTooLarge
          ? `${file.name} (${Math.ceil((file.size / bytesPerMb) * 10) / 10} MB, over the limit of ${limits.maxFileMb} MB)`
          : file.name,
      )
    } else {
      files.push(file)
    }
  }
  return { files, refusals: [...refusals], rejectedFiles }
}

/** Checks only type and name, because the server checks the content. Some systems report no type. */
const looksLikePdf = ({ name, type }: FileFacts): boolean =>
  type === 'application/pdf' || (type === '' && name.toLowerCase().endsWith('.pdf'))
