import pg from 'pg'
import type { Seen } from './seen.ts'
import type { Stage } from './stage.ts'
import { ChaosStudent } from './student.ts'

type Rating = 'like' | 'dislike' | null
type RatedNote = { id: string; title: string }

const [readers, noteCount] = [20, 25]
const changes = [{ likes: '+' }, { likes: '-' }, { dislikes: '+' }, { dislikes: '-' }] as const

/** What the specification says of a rating: one takes back the other, and nobody takes back what is not there. */
function rated(before: Rating, [name, sign]: string[]): Rating {
  const meant = name === 'likes' ? 'like' : 'dislike'
  if (sign === '+') return meant
  return before === meant ? null : before
}

/** So many ratings of the same notes by many students at once, over both servers, against a model of them. */
export async function rateAgainstModel(stage: Stage, total: number): Promise<Seen> {
  const faults: string[] = []
  const author = new ChaosStudent(`author.${Date.now()}@uni.example`, stage)
  await author.join()
  const notes: RatedNote[] = []
  while (notes.length < noteCount) {
    for (const title of await author.upload({ isAnonymous: false, count: 5 })) {
      notes.push({ title, id: stage.ids.get(title) ?? '' })
    }
  }
  const crowd = await Promise.all(
    Array.from({ length: readers }, async (_, n) => {
      const student = new ChaosStudent(`reader${n}.${Date.now()}@uni.example`, stage)
      await student.join()
      return { student, ratings: new Map<string, Rating>() }
    }),
  )

  async function rate({ student, ratings }: (typeof crowd)[0], count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const note = notes[Math.floor(Math.random() * notes.length)]
      const change = changes[Math.floor(Math.random() * changes.length)]
      if (!note || !change) continue
      const answer = await student.send('PATCH', `/api/notes/${note.id}/rating`, change)
      if (answer?.status !== 200) {
        faults.push(`A rating was answered ${answer?.status}`)
        continue
      }
      ratings.set(note.id, rated(ratings.get(note.id) ?? null, Object.entries(change)[0] ?? []))
      const { user } = answer.body as { user: Record<'likedNotes' | 'dislikedNotes', string[]> }
      if (!isModel(ratings, user)) faults.push(`${student.email} is told of other ratings than theirs`)
    }
  }
  const begunMs = performance.now()
  await Promise.all(crowd.map((one) => rate(one, total / readers)))
  const took = Math.round((performance.now() - begunMs) / 1000)

  const client = new pg.Client({ connectionString: stage.databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ id: string; likes: number; dislikes: number; rows: string }>(
    `SELECT id, likes, dislikes, (SELECT count(*) FROM ratings WHERE note_id = notes.id) AS rows FROM notes WHERE id = ANY($1)`,
    [notes.map(({ id }) => id)],
  )
  await client.end()
  for (const row of rows) {
    const count = (rating: Rating) => crowd.filter(({ ratings }) => (ratings.get(row.id) ?? null) === rating).length
    const [likes, dislikes] = [count('like'), count('dislike')]
    const isRight = row.likes === likes && row.dislikes === dislikes && Number(row.rows) === likes + dislikes
    if (!isRight) faults.push(`${row.id} has ${row.likes} and ${row.dislikes}, and not ${likes} and ${dislikes}`)
  }
  return {
    what: 'Ratings over two servers',
    facts: [
      `${total.toLocaleString('en')} by ${readers} students of ${noteCount} notes, in ${took} s; every answer's lists and, in the end, every note's counts and rows are the model's.`,
    ],
    faults: [...new Set(faults)],
  }
}

function isModel(ratings: Map<string, Rating>, user: Record<'likedNotes' | 'dislikedNotes', string[]>): boolean {
  const given = (rating: Rating) => [...ratings].filter(([, one]) => one === rating).map(([id]) => id)
  const isSame = (one: string[], other: string[]) => one.toSorted().join() === other.toSorted().join()
  return isSame(given('like'), user.likedNotes) && isSame(given('dislike'), user.dislikedNotes)
}
