/** Limits how deep nested folders are read. */
const maxDepth = 10
/** Keeps the page from reading a whole disk that was dropped by mistake. */
const maxFilesRead = 500

/**
 * Returns the dropped files and the PDFs of dropped folders, whose other files are ignored.
 * It reads the entries before it returns, because the browser removes them after the event.
 */
export function droppedFiles(transfer: DataTransfer): Promise<File[]> {
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
