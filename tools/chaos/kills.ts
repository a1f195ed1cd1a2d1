import { compare, verify } from './compare.ts'
import type { ServerProcess } from './process.ts'
import type { Tally } from './seen.ts'
import type { Stage } from './stage.ts'
import { rest } from './student.ts'

export type Kills = { server: number; worker: number; postgres: number; duringStart: number; verified: number }

export const openKills = (): Kills => ({ server: 0, worker: 0, postgres: 0, duringStart: 0, verified: 0 })

/** Of seven kills: two processes serve, and a worker is needed for mails. */
const deck = ['server', 'server', 'server', 'server', 'server', 'worker', 'postgres'] as const
/** Between a comparison and the next kill, on average. */
const betweenMs = 800
const wholeEvery = 50
const servingShare = 0.75
/** That are acknowledged before such a kill, at most. */
const mostAnswers = 30

/** Kills at random moments for so long. After each kill what was touched since the last one is compared. */
export async function kill(stage: Stage, tally: Tally, kills: Kills, forMs: number): Promise<void> {
  const { webs, worker, postgres } = stage
  const victims: (typeof deck)[number][] = []
  for (const end = performance.now() + forMs; performance.now() < end; ) {
    await rest(2 * betweenMs * Math.random())
    if (victims.length === 0) victims.push(...shuffled(deck))
    const victim = victims.pop() ?? 'server'
    const among = victim === 'worker' ? [worker] : webs
    // Most have to have something under way, however slow the machine is; the others are met at any moment of their start.
    const isServing = Math.random() < servingShare
    if (isServing) await someReady(among)
    if (isServing) await someWork(stage)
    if (victim === 'postgres') postgres.signal('SIGKILL')
    else {
      const ready = among.filter((one) => one.isReady())
      const [target] = shuffled(isServing && ready.length > 0 ? ready : among)
      if (await target?.kill()) kills.duringStart++
    }
    kills[victim]++
    await compare(stage, tally)
    if ((kills.server + kills.worker + kills.postgres) % wholeEvery === 0) {
      await compare(stage, tally, true)
      const { isWhole, text } = await verify(stage)
      kills.verified++
      if (!isWhole) tally.half.push(`lectern admin verify: ${text.trim()}`)
    }
  }
}

/** The moment is random by what has been done, too. */
async function someWork({ attempts }: Stage): Promise<void> {
  let left = Math.ceil(mostAnswers * Math.random())
  for (let seen = attempts.length; left > 0; await rest(10)) {
    for (; seen < attempts.length; seen++) if (attempts[seen]?.outcome === 'acknowledged') left--
  }
}

async function someReady(among: ServerProcess[]): Promise<void> {
  while (!among.some((one) => one.isReady())) await rest(20)
}

const shuffled = <T>(all: readonly T[]): T[] =>
  all
    .map((one) => ({ one, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one)
