import { errorMessage } from '../../contract/errors.ts'
import type { ClientConfig } from '../../contract/operation.ts'

export type UploadLimits = Pick<ClientConfig, 'maxFiles' | 'maxFileMb'>
/** The files kept, and the texts of what was refused, each reason once. */
export type Choice<T> = { files: T[]; refusals: string[] }

type FileFacts = Pick<File, 'name' | 'size' | 'type'>
const bytesPerMb = 1024 * 1024

/**
 * Adds files to those chosen before (SPEC.md section 5): a file of the same name and size is left out silently; one
 * that is no PDF, too large or beyond the count is left out with the reason, and the others stay.
 */
export function addFiles<T extends FileFacts>(chosen: T[], added: Iterable<T>, limits: UploadLimits): Choice<T> {
  const files = [...chosen]
  const refusals = new Set<string>()
  const overLimit = errorMessage('upload_limit', { maxFiles: limits.maxFiles, maxSizeMb: limits.maxFileMb })
  for (const file of added) {
    if (files.some((kept) => kept.name === file.name && kept.size === file.size)) continue
    if (!looksLikePdf(file)) refusals.add(errorMessage('upload_not_pdf', { fileName: file.name }))
    else if (file.size > limits.maxFileMb * bytesPerMb || files.length >= limits.maxFiles) refusals.add(overLimit)
    else files.push(file)
  }
  return { files, refusals: [...refusals] }
}

/** By what the browser says and by name; the server looks inside. Some systems give no type at all. */
function looksLikePdf({ name, type }: FileFacts): boolean {
  return type === 'application/pdf' || (type === '' && name.toLowerCase().endsWith('.pdf'))
}

/**
 * How far each file of one request has come, 0 to 1: the files travel one after another.
 * @param loaded bytes of the request sent so far; its frame of text parts counts as part of the files.
 */
export function progressOfFiles(sizes: number[], loaded: number, total: number): number[] {
  const allBytes = sizes.reduce((sum, size) => sum + size, 0)
  let left = total === 0 ? 0 : (loaded / total) * allBytes
  return sizes.map((size) => {
    const sent = Math.min(size, Math.max(0, left))
    left -= size
    return size === 0 ? Number(loaded >= total) : sent / size
  })
}
