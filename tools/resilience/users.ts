import { setTimeout } from 'node:timers/promises'
import type { Environment } from './environment.ts'
import { pick } from './ledger.ts'
import { User } from './user.ts'

const userCount = 6
const registerEveryMs = 4_000
/** With this many own notes, a user deletes the oldest. */
const maxOwnNotes = 20

export type Users = {
  users: User[]
  /** Resolves when no request is being sent any more. */
  stop(): Promise<void>
}

/**
 * Users who do everything that students do, one thing after the other, while new ones register.
 * @param pauseMs between two requests of a user, on average.
 */
export async function startUsers(environment: Environment, pauseMs: number): Promise<Users> {
  const { ledger, noteIds, problems, requests } = environment
  const users = Array.from({ length: userCount }, (_, n) => new User(`student${n}`, environment))
  const registered = await Promise.all(users.map((user) => user.register()))
  if (registered.includes(false)) {
    const answers = requests.map(({ what, outcome, status }) => `${what} ${outcome} ${status}`)
    throw new Error(`Not all users could register before anything was killed: ${answers.join(', ')}`)
  }
  let isStopped = false

  async function act(user: User): Promise<void> {
    const own: string[] = []
    const pickOther = () => pick(ledger.listTitles().filter((title) => !own.includes(title))) ?? ''
    const lists = ['/api/notes?sortBy=likes', '/api/notes?sortBy=createdAt', '/api/users/me/notes', '/api/users/me']
    const onNote = (title: string, act: (title: string) => Promise<void>) =>
      noteIds.has(title) && ledger.listTitles().includes(title) && act(title)
    const actions: [weight: number, action: () => unknown][] = [
      [20, async () => own.push(...(await user.upload()))],
      [16, () => onNote(pick(ledger.listTitles()) ?? '', (title) => user.view(title))],
      [24, () => onNote(pickOther(), (title) => user.rate(title))],
      [12, () => onNote(pick(own) ?? '', (title) => user.edit(title))],
      [6, () => onNote((own.length > maxOwnNotes / 2 && own.shift()) || '', (title) => user.remove(title))],
      [14, () => user.request('GET', pick(lists))],
      [4, () => user.refresh()],
      [2, () => user.changePassword()],
      [2, () => user.logOutAndIn()],
    ]
    const weighted = actions.flatMap(([weight, action]) => Array.from({ length: weight }, () => action))
    while (!isStopped) {
      await (own.length > maxOwnNotes ? onNote(own.shift() ?? '', (title) => user.remove(title)) : pick(weighted)())
      await setTimeout(pauseMs * 2 * Math.random())
    }
  }

  /** A user whose registration has no answer is not tried again. */
  async function registerOthers(): Promise<void> {
    const registering: Promise<unknown>[] = []
    for (let n = 0; !isStopped; n++) {
      registering.push(new User(`newcomer${n}`, environment).register())
      await setTimeout(registerEveryMs * 2 * Math.random())
    }
    await Promise.all(registering)
  }

  const running = [...users.map(act), registerOthers()].map((task) =>
    task.catch((error: Error) => problems.add(`The simulated users failed: ${error.stack}`)),
  )
  return {
    users,
    async stop() {
      isStopped = true
      await Promise.all(running)
    },
  }
}
