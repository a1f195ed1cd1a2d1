import type { Seen } from './seen.ts'
import type { Stage } from './stage.ts'
import { ChaosStudent } from './student.ts'

const [browsers, tabs] = [10, 3]

/** Tabs that share the cookies of their browser refresh as they like, over both servers: nobody is logged out. */
export async function refreshInTabs(stage: Stage, rotations: number): Promise<Seen> {
  const faults: string[] = []
  const each = Math.ceil(rotations / browsers)
  let requests = 0

  async function browse(n: number): Promise<number> {
    const student = new ChaosStudent(`tabs${n}.${Date.now()}@uni.example`, stage)
    await student.join()
    const first = student.cookie
    const tokens = new Set<string>()
    async function refresh(): Promise<void> {
      while (tokens.size < each && faults.length === 0) {
        requests++
        // The cookie that is there when a tab asks, and again whatever an answer brings.
        const answer = await student.send('POST', '/api/users/auth/refresh')
        if (answer?.status !== 200) faults.push(`A refresh was answered ${answer?.status}`)
        else student.take(answer)
        if (student.cookie !== first) tokens.add(student.cookie)
      }
    }
    await Promise.all(Array.from({ length: tabs }, refresh))
    const me = await student.send('GET', '/api/users/me')
    if (me?.status !== 200) faults.push(`In the end somebody was logged out: ${me?.status}`)
    return tokens.size
  }
  const begunMs = performance.now()
  const counts = await Promise.all(Array.from({ length: browsers }, (_, n) => browse(n)))
  const took = Math.round((performance.now() - begunMs) / 1000)
  const sum = counts.reduce((one, other) => one + other, 0)
  return {
    what: 'Refreshes in parallel tabs',
    facts: [
      `${sum.toLocaleString('en')} rotations by ${requests.toLocaleString('en')} requests of ${browsers} browsers with ${tabs} tabs each, over two servers, in ${took} s; no false logout.`,
    ],
    faults: [...new Set(faults)],
  }
}
