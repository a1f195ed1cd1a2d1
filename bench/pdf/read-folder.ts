import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { encodeThumbnail } from '../../server/documents/encode-thumbnail.ts'
import { createPdfTools } from '../../server/pdf/pdf-tools.ts'
import { readTextFile } from '../../server/pdf/text-file.ts'
import { watchMemory } from './watch-memory.ts'

/** How the pipeline went with one file. */
export type Outcome = { name: string; text: string; picture: string; characters: number; ms: number }
export type FolderFigures = { outcomes: Outcome[]; seconds: number; peakBytes: number }

const neverAborts = new AbortController().signal
const maxFileBytes = 200 * 2 ** 20

/** Puts every PDF below a folder through what the jobs do with it, one after the other as they do, but for the database. */
export async function readFolder(folder: string, onOutcome: (outcome: Outcome) => void): Promise<FolderFigures> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.pdf$/i.test(name)).sort()
  const work = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
  const warn = () => {}
  const tools = createPdfTools({ log: { warn, error: warn }, folder: work, maxFileBytes })
  const memory = watchMemory(process.pid)
  const outcomes: Outcome[] = []
  const startedAt = performance.now()
  try {
    for (const name of names) {
      const path = join(work, 'file')
      await copyFile(join(folder, name), path)
      const begunAt = performance.now()
      const text = await tools.takeSpareTurn(neverAborts, (turn) => turn.readText(path, `${path}.text`))
      const drawn = await tools.takeSpareTurn(neverAborts, (turn) => turn.drawPicture(path, `${path}.picture`))
      if (drawn.kind === 'ok') await encodeThumbnail(`${path}.picture`, drawn, () => `${path}.webp`)
      const characters = text.kind === 'ok' ? await countCharacters(`${path}.text`) : 0
      const outcome = {
        name: relative('.', join(folder, name)),
        text: text.kind === 'ok' && characters === 0 ? 'empty' : text.kind,
        picture: drawn.kind,
        characters,
        ms: Math.round(performance.now() - begunAt),
      }
      outcomes.push(outcome)
      onOutcome(outcome)
      for (const made of ['', '.text', '.picture', '.webp']) await rm(`${path}${made}`, { force: true })
    }
    return { outcomes, seconds: (performance.now() - startedAt) / 1000, peakBytes: memory.peakBytes() }
  } finally {
    memory.stop()
    await tools.close()
    await rm(work, { recursive: true })
  }
}

const countCharacters = async (path: string) =>
  (await readTextFile(path)).pages.reduce((sum, page) => sum + page.length, 0)
