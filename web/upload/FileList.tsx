import { FileText, X } from 'lucide-react'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { progressOfFiles } from './chosen-files.ts'
import { formatBytes } from './format-bytes.ts'
import type { UploadProgress } from './use-upload.ts'

type FileListProps = {
  files: File[]
  /** While it is not null the files are on their way and stay as they are. */
  progress: UploadProgress | null
  onRemove: (file: File) => void
}

/** The chosen files; while they are sent, how far each of them is. */
export function FileList({ files, progress, onRemove }: FileListProps) {
  const parts =
    progress &&
    progressOfFiles(
      files.map((file) => file.size),
      progress.loaded,
      progress.total,
    )
  return (
    <ul aria-label="Chosen files" className="mt-4 flex flex-col gap-2">
      {files.map((file, at) => (
        <li key={`${file.name} ${file.size}`} className="chosen-file">
          <FileText aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
          <div className="min-w-0 grow">
            <p className="truncate font-semibold" title={file.name}>
              {file.name}
            </p>
            {parts === null ? (
              <p className="text-ink-faint text-sm tabular-nums">{formatBytes(file.size)}</p>
            ) : (
              <FileProgress file={file} part={parts[at] ?? 0} />
            )}
          </div>
          {progress === null && (
            <button type="button" className="btn btn-ghost btn-square" onClick={() => onRemove(file)}>
              <X aria-hidden="true" />
              <span className="sr-only">Remove {file.name}</span>
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

function FileProgress({ file, part }: { file: File; part: number }) {
  return (
    <div className="mt-1 flex items-center gap-3">
      <div className="grow">
        <ProgressBar value={part} label={`Upload of ${file.name}`} />
      </div>
      <p className="shrink-0 text-ink-soft text-sm tabular-nums">
        {formatBytes(part * file.size)} of {formatBytes(file.size)}
      </p>
    </div>
  )
}
