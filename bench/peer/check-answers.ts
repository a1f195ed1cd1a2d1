import { pageSize } from '../../contract/limits.ts'
import type { ChildServer } from '../child-server.ts'
import type { Call } from '../rows.ts'

type Asked = Call & { server: ChildServer }
type Answer = { notes?: { _id: string }[]; data?: { id: string; note?: { id: string } }[] }

/** @throws where the two answer a list with other notes: what would be compared is not the same work. */
export async function checkAnswers(name: string, { ours, peer }: { ours: Asked; peer: Asked }): Promise<void> {
  const [{ notes = [] }, { data = [] }] = [await askOnce(ours), await askOnce(peer)]
  const theirs = data.slice(0, pageSize).map(({ id, note }) => note?.id ?? id)
  if (notes.map(({ _id }) => _id).join() === theirs.join()) return
  throw new Error(`${name}: Lectern and Directus do not answer with the same notes`)
}

async function askOnce({ server, path, headers, next }: Asked): Promise<Answer> {
  const response = await fetch(server.origin + (next?.().path ?? path), { headers: headers ?? {} })
  if (!response.ok) throw new Error(`${response.url} is answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}
