import { readFileSync } from 'node:fs'

export type JudgedNote = { key: string; title: string; courseCode: string; instructor?: string; pages: string[] }

/** library.txt: a line for each note, its pages indented below it; \n is the end of a line of a page. */
export const judgedLibrary: JudgedNote[] = readFileSync(new URL('library.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split(/\n(?! )/)
  .map((lines) => {
    const [head = '', ...pages] = lines.split('\n  ')
    const [key = '', courseCode = '', instructor = '', title = ''] = head.split(' | ')
    const texts = pages.map((page) => page.replaceAll('\\n', '\n'))
    return { key, title, courseCode, ...(instructor && { instructor }), pages: texts }
  })

const digestCount = 80
const filler = 'Please read the chapter before the tutorial, hand in the assignment on time, and ask your questions.'

/**
 * Notes that only mention the topics of the others, a sentence of each. No query wants them. They are inserted last, so
 * that a sort order by date alone would put them first.
 */
export const digests: JudgedNote[] = Array.from({ length: digestCount }, (_, n) => {
  const mention = (step: number) => {
    const { pages } = judgedLibrary[(n * 7 + step * 11) % judgedLibrary.length] ?? { pages: [] }
    const sentences = (pages[(n + step) % Math.max(1, pages.length)] ?? '').split('. ')
    return sentences[n % sentences.length] ?? ''
  }
  const pages = [`${filler} ${mention(0)}.`, `${mention(1)}. ${filler} ${mention(2)}.`]
  return { key: `digest${n}`, title: `Week ${n + 1}`, courseCode: `GEN ${400 + n}`, pages }
})
