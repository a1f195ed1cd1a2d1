import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { PdfText } from './read-text.ts'

/**
 * Passes a document's text from the PDF process to the server: one line per page, so that the server never parses
 * millions of characters without a pause.
 */
export async function writeText(path: string, { pages, ...about }: PdfText): Promise<void> {
  const lines = [about, ...pages].map((part) => `${JSON.stringify(part)}\n`)
  await writeFile(path, lines, { flag: 'wx', mode: 0o600 })
}

export async function readTextFile(path: string): Promise<PdfText> {
  const parts: unknown[] = []
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    parts.push(JSON.parse(line))
  }
  const [about, ...pages] = parts
  return { ...(about as Omit<PdfText, 'pages'>), pages: pages as string[] }
}
