import { readFileSync } from 'node:fs'

/** Everything in `phrases.txt`: lines below the name of their list. */
export const phraseText = readFileSync(new URL('./phrases.txt', import.meta.url), 'utf8')
const lists = new Map(
  phraseText.split(/^# /m).map((part) => {
    const [name = '', ...lines] = part.trim().split('\n')
    return [name, lines]
  }),
)

export function phrases(name: string): string[] {
  const list = lists.get(name)
  if (!list) throw new Error(`There are no phrases called "${name}"`)
  return list
}
