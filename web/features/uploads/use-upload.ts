import { useEffect, useRef } from 'react'
import { useNavigate, useNavigation } from 'react-router'
import { foldCourseCode } from '../../../packages/contract/course-code.ts'
import { type Note, type NoteEdit, noteEdit } from '../../../packages/contract/notes.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import * as paths from '../../platform/paths.ts'
import { showError, showSuccess } from '../../platform/ui/toast.ts'
import { courseQuery } from '../courses/course-queries.ts'
import { type LastUpload, lastUploadKey } from '../notes/cache/user-lists.ts'
import { keepCourse } from './kept-uploads.ts'
import { uploadItems } from './upload-items.ts'
import { isInProgress, isUnsent, sharedNotes, type UploadItem, uploadQueue } from './upload-queue.ts'

/**
 * Shares items of the queue. When all are shared, it shows a message, clears the form and the queue and opens My Notes,
 * unless the student has added files or left the page meanwhile.
 * @param onDone clears the form.
 */
export function useUpload(onDone: () => void) {
  const navigate = useNavigate()
  const isStaying = useNavigation().state === 'idle'
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = isStaying
    return () => {
      isHere.current = false
    }
  }, [isStaying])

  /** @param wanted ids of items; @returns false if an item has to be corrected first. */
  return async function share(wanted: string[], details: NoteEdit): Promise<boolean> {
    const notes = checkRows(
      uploadQueue.getState().rows.filter((row) => wanted.includes(row.id) && !isInProgress(row)),
      details,
    )
    if (notes === null) return false
    await uploadItems(notes)

    const { rows } = uploadQueue.getState()
    if (rows.length > 0 && !rows.some(isUnsent)) {
      showSuccess('Notes uploaded successfully!')
      keepCourse(details.courseCode)
      const uploaded = await describeUploaded(sharedNotes(rows))
      // The upload of files that were added meanwhile does this.
      if (uploadQueue.getState().rows.length > rows.length) return true
      onDone()
      uploadQueue.clear()
      if (!isHere.current) return true
      queryClient.setQueryData<LastUpload>(lastUploadKey, uploaded)
      await navigate(paths.myNotes())
      return true
    }
    for (const reason of new Set(rows.filter((row) => notes.has(row.id)).flatMap(reasonOf))) showError(reason)
    return true
  }
}

async function describeUploaded(notes: Note[]): Promise<LastUpload> {
  const codes = [...new Set(notes.map(({ courseCode }) => courseCode))]
  const followers = await Promise.all(
    codes.map(async (courseCode) => {
      const details = await queryClient.fetchQuery(courseQuery(foldCourseCode(courseCode))).catch(() => null)
      return { courseCode, count: details?.followers ?? 0 }
    }),
  )
  return { ids: notes.map(({ _id }) => _id), followers }
}

const reasonOf = ({ sending }: UploadItem) => (sending.kind === 'failed' ? [sending.reason] : [])

/** @returns the details to send for each item, or null if an item has to be corrected, which it also reports. */
function checkRows(rows: UploadItem[], details: NoteEdit): Map<string, NoteEdit> | null {
  const notes = new Map<string, NoteEdit>()
  for (const { id, title, ownDetails } of rows) {
    const result = noteEdit.safeParse({ ...details, ...ownDetails, title })
    if (result.success) {
      notes.set(id, result.data)
      uploadQueue.change(id, { errors: {} })
      continue
    }
    const errors: Record<string, string> = {}
    for (const issue of result.error.issues) errors[String(issue.path[0])] ??= issue.message
    uploadQueue.change(id, { errors })
  }
  if (notes.size === rows.length) return notes
  const first = rows.flatMap(({ id }) => Object.values(uploadQueue.find(id)?.errors ?? {})).find(Boolean)
  if (first) showError(first)
  return null
}
