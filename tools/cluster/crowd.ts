import { setTimeout } from 'node:timers/promises'
import type { Book, Student } from './student.ts'

/** Jobs keep up with these on two processors. */
const [betweenMs, sharedOneIn] = [300, 3]
/** With so many of one's own, the oldest is deleted. */
const most = 20

export type Crowd = {
  /** Notes that were not as the book has them while they were asked for. */
  faults: string[]
  stop(): Promise<void>
}

/** Everybody shares, reads, likes and deletes, one thing after the other, until it is stopped. */
export function startCrowd(students: Student[], book: Book): Crowd {
  const faults: string[] = []
  let isStopped = false

  async function live(student: Student): Promise<void> {
    const own: string[] = []
    for (let round = 0; !isStopped; round++) {
      const id = round % sharedOneIn === 0 ? await student.upload() : null
      if (id) {
        own.push(id)
        await expectListed(student, id)
      }
      const ids = [...book.notes.keys()]
      const other = ids[Math.floor(Math.random() * ids.length)]
      if (other && book.notes.get(other)?.owner !== student.email) await student.like(other)
      if (other && (await student.compare(other)) === false)
        faults.push(`A note is not what was acknowledged: ${other}`)
      await student.ask('GET', '/api/notes?sortBy=createdAt')
      await student.ask('GET', '/api/users/me')
      const removed = own.length >= most ? own.shift() : undefined
      if (removed) await student.remove(removed)
      await setTimeout(betweenMs)
    }
  }

  /** Who has shared a note finds it at once, whichever server answers. */
  async function expectListed(student: Student, id: string): Promise<void> {
    const answer = await student.ask('GET', '/api/users/me/notes')
    if (answer?.status !== 200) return
    const { notes } = answer.body as { notes: { _id: string }[] }
    if (!notes.some(({ _id }) => _id === id)) faults.push(`A note that was shared is not listed: ${id}`)
  }

  const lives = students.map(live)
  return {
    faults,
    async stop() {
      isStopped = true
      await Promise.all(lives)
    },
  }
}
