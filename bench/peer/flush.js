import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

// Directus confirms an upload before the file is on the disk. Lectern waits for the disk, so here Directus does too.
const { createWriteStream } = fs
fs.createWriteStream = (path, options) => createWriteStream(path, { ...options, flush: true })
syncBuiltinESMExports()
