import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { uploadNotes } from '../../contract/notes.endpoints.ts'
import type { NoteEdit } from '../../contract/notes.ts'
import { api, messageOf } from '../api/client.ts'
import { outdateLists } from '../notes/cache/note-cache.ts'
import * as paths from '../paths.ts'
import { session } from '../session/store.ts'
import { showError, showSuccess } from '../ui/toast.ts'
import { uploadForm } from './upload-form.ts'
import { useStayWhile } from './use-stay-while.ts'

/** Bytes of the request under way: those sent, and all of them. */
export type UploadProgress = { loaded: number; total: number }

/** Why the last attempt came to nothing, in the student's words. */
type UploadProblem = { kind: 'failed' | 'cancelled'; text: string }

const uploadCancelled = 'Upload cancelled. Nothing was shared, and your files are still here.'
const uploadFailure = 'Failed to upload notes. Please try again.'

/** Sends the chosen files in one request that is kept as a whole or not at all. */
export function useUpload(onSent: () => void) {
  const navigate = useNavigate()
  const [progress, setProgress] = useState<UploadProgress | null>(null)
  const [problem, setProblem] = useState<UploadProblem | null>(null)
  const abort = useRef<AbortController | null>(null)

  const mutation = useMutation({
    async mutationFn({ details, files }: { details: NoteEdit; files: File[] }) {
      const controller = new AbortController()
      abort.current = controller
      setProblem(null)
      setProgress({ loaded: 0, total: 0 })
      return api.call(uploadNotes, {
        form: uploadForm(details, files),
        signal: controller.signal,
        onProgress: (loaded, total) => setProgress({ loaded, total }),
      })
    },
    async onSuccess() {
      abort.current = null
      showSuccess('Notes uploaded successfully!')
      onSent()
      outdateLists('mine')
      outdateLists('all')
      await navigate(paths.myNotes())
    },
    onError(failure) {
      const wasCancelled = abort.current?.signal.aborted
      abort.current = null
      if (session.getState().user === null) return
      if (wasCancelled) return setProblem({ kind: 'cancelled', text: uploadCancelled })
      const text = messageOf(failure, uploadFailure)
      setProblem({ kind: 'failed', text })
      showError(text)
    },
    onSettled: () => setProgress(null),
  })

  useStayWhile(() => abort.current !== null && session.getState().user !== null)

  return {
    send: mutation.mutate,
    cancel: () => abort.current?.abort(),
    isSending: mutation.isPending,
    progress,
    problem,
    clearProblem: () => setProblem(null),
  }
}
