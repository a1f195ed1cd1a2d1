import { type ChangeEvent, type DragEvent, type Ref, useEffect, useEffectEvent, useId, useState } from 'react'
import { Icon } from '../../platform/ui/Icon.tsx'
import { classNames, Text } from '../../platform/ui/layout.tsx'
import { showError } from '../../platform/ui/toast.ts'
import type { UploadLimits } from './chosen-files.ts'
import './drop-zone.css'

const unreadable = 'Couldn’t read what you dropped. Choose the files instead.'

type DropZoneProps = {
  limits: UploadLimits
  isDisabled: boolean
  /** The list of files below needs the space. */
  isSmall: boolean
  errors: string[]
  onFiles: (files: File[]) => void
  ref: Ref<HTMLInputElement>
}

/** Accepts PDFs and folders of PDFs that are dropped, pasted, or chosen in the file picker. */
export function DropZone({ limits, isDisabled, isSmall, errors, onFiles, ref }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  const id = useId()
  useEffect(ignoreFilesBeside, [])
  usePastedFiles(isDisabled, onFiles)

  function pick(event: ChangeEvent<HTMLInputElement>) {
    onFiles([...(event.target.files ?? [])])
    // Without this, the input does not report a removed file that is chosen again.
    event.target.value = ''
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    if (!isDisabled) droppedFiles(event.dataTransfer).then(onFiles, () => showError(unreadable))
  }

  return (
    <div>
      <label
        htmlFor={id}
        className={classNames(
          'drop-zone',
          isSmall && 'drop-zone-small',
          isOver && 'drop-zone-over',
          errors.length > 0 && 'drop-zone-invalid',
        )}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(!isDisabled)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Icon name="file-plus-corner" size={2.25} strokeWidth={1.5} className="text-soft" />
        <span id={`${id}-words`} className="drop-zone-label">
          <span className="drop-zone-drop">
            Drop PDF files here or <span className="link">choose them</span>
          </span>
          <span className="drop-zone-choose link">Choose PDF files</span>
        </span>
        <Text as="span" tone="soft" size="small" id={`${id}-limits`}>
          Up to {limits.maxFiles} PDF files, each up to {limits.maxFileMb} MB.
        </Text>
        <input
          ref={ref}
          id={id}
          type="file"
          multiple
          accept="application/pdf"
          className="drop-zone-input"
          // The visible text differs between devices and is also the accessible name.
          aria-labelledby={`${id}-words`}
          aria-describedby={errors.length > 0 ? `${id}-errors ${id}-limits` : `${id}-limits`}
          aria-invalid={errors.length > 0 || undefined}
          disabled={isDisabled}
          onChange={pick}
        />
      </label>
      <div id={`${id}-errors`} role="alert">
        {errors.map((error) => (
          <Text tone="danger" size="small" top={0.5} key={error}>
            {error}
          </Text>
        ))}
      </div>
    </div>
  )
}

/** A file dropped outside the zone would otherwise replace the page. */
function ignoreFilesBeside() {
  const ignore = (event: Event) => event.preventDefault()
  window.addEventListener('dragover', ignore)
  window.addEventListener('drop', ignore)
  return () => {
    window.removeEventListener('dragover', ignore)
    window.removeEventListener('drop', ignore)
  }
}

/** Accepts files pasted anywhere on the page. Text goes to the focused field, also if Excel adds a picture of it. */
function usePastedFiles(isDisabled: boolean, onFiles: (files: File[]) => void): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const { clipboardData } = event
    const files = [...(clipboardData?.files ?? [])]
    if (files.length === 0 || clipboardData?.types.includes('text/html') || isDisabled) return
    event.preventDefault()
    onFiles(files)
  })
  useEffect(() => {
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}

const maxDepth = 10
/** Keeps the page from reading a whole disk that was dropped by mistake. */
const maxFilesRead = 500

/**
 * Returns the dropped files and the PDFs of dropped folders, whose other files are ignored.
 * It reads the entries before it returns, because the browser removes them after the event.
 */
function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null)
  const files = [...transfer.files]
  if (!entries.some((entry) => entry?.isDirectory)) return Promise.resolve(files)
  return readEntries(entries.filter((entry) => entry !== null))
}

async function readEntries(entries: FileSystemEntry[]): Promise<File[]> {
  const files: File[] = []
  async function read(entry: FileSystemEntry, depth: number): Promise<void> {
    if (files.length >= maxFilesRead) return
    if (isFile(entry)) {
      if (depth > 0 && !/\.pdf$/i.test(entry.name)) return
      files.push(await new Promise<File>((resolve, reject) => entry.file(resolve, reject)))
    } else if (isFolder(entry) && depth < maxDepth) {
      for (const child of await listFolder(entry)) await read(child, depth + 1)
    }
  }
  for (const entry of entries) await read(entry, 0)
  return files
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

async function listFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    // Each call returns only some entries, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all.sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))
    all.push(...some)
  }
}
