import { writeFile } from 'node:fs/promises'
import { demoNotes } from './notes.ts'
import { writePdf } from './write-pdf.ts'

/**
 * Part of `npm pack`, after the build: adds the notes as PDFs, so that the package works without the typesetting
 * libraries.
 */
const folder = new URL('../../lib/scripts/demo/notes/', import.meta.url)
for (const note of demoNotes) await writeFile(new URL(note.file, folder), await writePdf(note))
