import { noteKey } from './book.ts'
import { type Around, ChaosStudent, rest } from './student.ts'

/** Two processors keep up with these. */
const betweenMs = 120
const registerEveryMs = 4_000
/** With so many of one's own, the oldest is deleted. */
const mostOwn = 25

export type Crowd = {
  students: ChaosStudent[]
  /** Until nobody asks for anything. */
  stop(): Promise<void>
}

/** Students who do everything there is to do, one thing after the other, and newcomers who register meanwhile. */
export async function startCrowd(around: Around, size: number): Promise<Crowd> {
  const { book, faults } = around
  const students = Array.from({ length: size }, (_, n) => new ChaosStudent(`student${n}@uni.example`, around))
  const joined = await Promise.all(students.map((student) => student.join()))
  if (joined.includes(false)) throw new Error('Not everybody could register before anything was killed')
  let isStopped = false

  async function live(student: ChaosStudent): Promise<void> {
    const own: string[] = []
    const viewed: string[] = []
    const randomNote = () => {
      const titles = book.titles()
      return titles[Math.floor(Math.random() * titles.length)] ?? ''
    }
    const isThere = (title: string) => title !== '' && ![null, 'gone'].includes(book.sure(noteKey(title)))
    const deeds: [weight: number, deed: () => Promise<unknown>][] = [
      [20, async () => own.push(...(await student.upload()))],
      [16, async () => view(randomNote())],
      [24, async () => rateAnothers(randomNote())],
      [12, async () => edit(own[Math.floor(Math.random() * own.length)] ?? '')],
      [6, async () => remove()],
      [14, () => student.list()],
      [4, () => student.refresh()],
      [2, () => student.changePassword()],
      [2, () => student.logOutAndIn()],
    ]
    async function view(title: string): Promise<void> {
      if (!isThere(title) || !around.ids.has(title)) return
      await student.view(title)
      viewed.unshift(title)
      await student.keepViewed([...new Set(viewed)].filter(isThere).slice(0, 10))
    }
    async function rateAnothers(title: string): Promise<void> {
      if (isThere(title) && !own.includes(title) && around.ids.has(title)) await student.rate(title)
    }
    async function edit(title: string): Promise<void> {
      if (isThere(title)) await student.edit(title)
    }
    async function remove(): Promise<void> {
      const title = own.length > mostOwn || Math.random() < 0.5 ? own.shift() : undefined
      if (title !== undefined && isThere(title)) await student.remove(title)
    }

    const deck = deeds.flatMap(([weight, deed]) => Array.from({ length: weight }, () => deed))
    while (!isStopped) {
      const deed = deck[Math.floor(Math.random() * deck.length)]
      await deed?.()
      await rest(betweenMs * 2 * Math.random())
    }
  }

  /** Whoever was not told that they are registered tries again as somebody else. */
  async function welcome(): Promise<void> {
    const joining: Promise<unknown>[] = []
    for (let n = 0; !isStopped; n++) {
      joining.push(new ChaosStudent(`newcomer${n}@uni.example`, around).join())
      await rest(registerEveryMs * 2 * Math.random())
    }
    await Promise.all(joining)
  }

  const failed = (error: Error) => faults.push(`The crowd itself failed: ${error.stack}`)
  const lives = [...students.map(live), welcome()].map((life) => life.catch(failed))
  return {
    students,
    async stop() {
      isStopped = true
      await Promise.all(lives)
    },
  }
}
