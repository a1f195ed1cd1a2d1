import { isAnonymous, tray, type UploadItem } from './upload-queue.ts'

/** Whether the user has to decide something before an item is sent. */
export function needsAttention(row: UploadItem): boolean {
  const { unreadable, damagedPages } = row.findings
  if (unreadable !== null || (damagedPages.length > 0 && !row.accepted.damage)) return true
  return (isAlreadyUploaded(row) && !row.accepted.sameFile) || (containsAuthorName(row) && !row.accepted.names)
}

/** Another item of the same upload does not count, because the page already shows both as the same file. */
export function isAlreadyUploaded({ id, run, findings: { sha256, sameFile } }: UploadItem): boolean {
  const isTwinSent = (other: UploadItem) =>
    other.id !== id &&
    other.findings.sha256 === sha256 &&
    (other.sending.kind === 'sending' || (other.sending.kind === 'shared' && run !== '' && other.run === run))
  return sameFile !== null && !tray.getState().rows.some(isTwinSent)
}

/** Whether an anonymous item contains pages that name the author. */
const containsAuthorName = (row: UploadItem): boolean =>
  namedPages(row).length > 0 && isAnonymous(row, tray.getState().details)

/** The pages that will name the author in the shared note. */
export const namedPages = ({ findings: { names }, removesHiddenName }: UploadItem) =>
  (names?.pages ?? []).filter((page) => page.isShown || !removesHiddenName)

/** The pages whose invisible text names the author. */
export const hiddenNamePages = ({ findings: { names } }: UploadItem) =>
  (names?.pages ?? []).filter((page) => page.isHidden)

/** Returns an earlier item with the same file, byte for byte. */
export function findDuplicate(row: UploadItem, rows: UploadItem[]): UploadItem | null {
  const { sha256 } = row.findings
  const before = rows.slice(0, rows.indexOf(row))
  return (sha256 && before.find((other) => other.findings.sha256 === sha256)) || null
}
