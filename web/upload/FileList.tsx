import { FileText, X } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { progressOfFiles } from './chosen-files.ts'
import './file-list.css'
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
    <ul aria-label="Chosen files" className="file-list">
      {files.map((file, at) => (
        <li key={`${file.name} ${file.size}`} className="file-list-file">
          <FileText aria-hidden="true" />
          <div className="file-list-facts">
            <p className="file-list-name" title={file.name}>
              {file.name}
            </p>
            {parts === null ? (
              <p className="file-list-size">{formatBytes(file.size)}</p>
            ) : (
              <FileProgress file={file} part={parts[at] ?? 0} />
            )}
          </div>
          {progress === null && (
            <Button variant="ghost" size="square" icon={<X aria-hidden="true" />} onClick={() => onRemove(file)}>
              <span className="visually-hidden">Remove {file.name}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function FileProgress({ file, part }: { file: File; part: number }) {
  return (
    <div className="file-list-progress">
      <ProgressBar value={part} label={`Upload of ${file.name}`} />
      <p className="file-list-size">
        {formatBytes(part * file.size)} of {formatBytes(file.size)}
      </p>
    </div>
  )
}
