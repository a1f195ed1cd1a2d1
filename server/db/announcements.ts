import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { describeError, type Log } from '../log.ts'
import { within } from '../within.ts'
import { isPooled } from './new-connection.ts'

const channel = 'lectern_sessions'
/** What a server remembers holds for so long from when it last sent itself something that then came back. */
const beliefMs = 2_000
const beatEveryMs = 500
/** A connection that is silent for so long is given up for another. */
const silenceMs = 3 * beliefMs
const goodbyeMs = 1_000

export type Announcements = {
  /** False when something may have been announced that was not heard: what is remembered must be looked up then. */
  isHearing(): boolean
  /** @param hear what was announced, or null when announcements may have been missed. */
  subscribe(hear: (text: string | null) => void): void
  /**
   * Call it after a commit: it resolves when no server acts any more on what was true before, which takes a moment while all
   * of them answer and `beliefMs` at most. Never rejects.
   */
  settled(): Promise<void>
  close(): Promise<void>
}

/** A moment by two clocks: one does not go on while the machine sleeps, the other may be set back. */
type Moment = { steadyMs: number; dayMs: number }
const now = (): Moment => ({ steadyMs: performance.now(), dayMs: Date.now() })
const msSince = ({ steadyMs, dayMs }: Moment) => Math.max(performance.now() - steadyMs, Date.now() - dayMs)

/** What a connection that listens has heard. */
type Line = {
  client: pg.Client
  /** One after the other. */
  said: Promise<unknown>
  listensSince: Moment | null
  /** When what came back last had been sent: all that was announced until then was heard. */
  hearsUntil: Moment | null
  beats: Map<number, Moment>
  /** When each other server was last heard. */
  others: Map<string, Moment>
}

type Question = { isBack: boolean; answeredBy: Set<string>; answered: () => void }

/**
 * What triggers of the database announce (db/schema.sql), by LISTEN and NOTIFY. PostgreSQL delivers all announcements to each
 * connection in the order of their commits, so a server that hears its own has heard what came before. Each sends itself a
 * beat again and again, and believes what it remembers only while they come back: a connection that is cut, or that is silent
 * without being cut, is no reason to go on believing.
 */
export function openAnnouncements(databaseUrl: string, log: Log): Announcements {
  const self = randomUUID()
  const hearers: ((text: string | null) => void)[] = []
  const questions = new Map<number, Question>()
  let line: Line | null = null
  let isOpening = false
  let isClosed = false
  let count = 0

  const tell = (text: string | null) => {
    for (const hear of hearers) hear(text)
  }

  function say(on: Line, text: string): void {
    const saying = on.said.then(() => on.client.query('SELECT pg_notify($1, $2)', [channel, text]))
    on.said = saying.catch(() => lose(on.client))
  }

  function hear(on: Line, text: string): void {
    const [what, who = '', ...rest] = text.split(' ')
    if (what === 'beat') hearBeat(on, who, Number(rest[0]))
    else if (what === 'question') hearQuestion(on, who, Number(rest[0]))
    else if (what === 'answer') hearAnswer(on, who, rest)
    else tell(text)
  }

  function hearBeat(on: Line, who: string, beat: number): void {
    if (who !== self) {
      on.others.set(who, now())
      return
    }
    on.hearsUntil = on.beats.get(beat) ?? on.hearsUntil
    for (const sent of on.beats.keys()) if (sent <= beat) on.beats.delete(sent)
  }

  function hearQuestion(on: Line, who: string, number: number): void {
    if (who !== self) say(on, `answer ${self} ${who} ${number}`)
    const question = who === self ? questions.get(number) : undefined
    if (!question) return
    question.isBack = true
    checkAnswers(on, question)
  }

  function hearAnswer(on: Line, who: string, [asker, number]: string[]): void {
    const question = asker === self && questions.get(Number(number))
    if (!question) return
    question.answeredBy.add(who)
    checkAnswers(on, question)
  }

  /** When the question is back, every beat that came before it was heard; whoever sent none for so long believes nothing. */
  function checkAnswers({ others }: Line, { isBack, answeredBy, answered }: Question): void {
    const believing = [...others].filter(([, heardAt]) => msSince(heardAt) < beliefMs)
    if (isBack && believing.every(([who]) => answeredBy.has(who))) answered()
  }

  function lose(client: pg.Client): void {
    if (line?.client !== client) return
    line = null
    // Who closes while it is being opened has lost nothing.
    if (!isClosed) log.info('Announcements are not heard: sessions are looked up for each request meanwhile')
    tell(null)
    client.end().catch(() => {})
  }

  async function open(): Promise<void> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      application_name: 'lectern-listener',
    })
    client.on('error', () => lose(client))
    client.on('end', () => lose(client))
    try {
      await client.connect()
      if (await isPooled(client)) {
        log.info('There is a pooler before PostgreSQL: sessions are looked up for each request')
        clearInterval(timer)
        return void client.end().catch(() => {})
      }
      const said = client.query(`LISTEN ${channel}`)
      const opened: Line = { client, said, listensSince: null, hearsUntil: null, beats: new Map(), others: new Map() }
      client.on('notification', ({ payload = '' }) => line === opened && hear(opened, payload))
      line = opened
      await said
      opened.listensSince = now()
      beat(opened)
    } catch (error) {
      log.debug(`Announcements are not heard: ${describeError(error)}`)
      lose(client)
      await client.end().catch(() => {})
    }
  }

  function beat(on: Line): void {
    const [oldest] = on.beats.values()
    if (oldest && msSince(oldest) > silenceMs) {
      lose(on.client)
      return
    }
    for (const [who, heardAt] of on.others) if (msSince(heardAt) > beliefMs) on.others.delete(who)
    count += 1
    on.beats.set(count, now())
    say(on, `beat ${self} ${count}`)
  }

  function go(): void {
    if (line?.listensSince) beat(line)
    if (line || isOpening) return
    isOpening = true
    void open().finally(() => {
      isOpening = false
      if (isClosed && line) lose(line.client)
    })
  }
  const timer = setInterval(go, beatEveryMs).unref()
  go()

  async function ask(on: Line): Promise<void> {
    const { promise, resolve: answered } = Promise.withResolvers<void>()
    count += 1
    const number = count
    questions.set(number, { isBack: false, answeredBy: new Set(), answered })
    say(on, `question ${self} ${number}`)
    await Promise.race([promise, delay(beliefMs, undefined, { ref: false })])
    questions.delete(number)
  }

  return {
    isHearing: () => line?.hearsUntil != null && msSince(line.hearsUntil) < beliefMs,
    subscribe: (hear) => void hearers.push(hear),
    // Who has not listened for so long does not know yet whom to wait for.
    settled: () =>
      line?.listensSince && msSince(line.listensSince) > beliefMs
        ? ask(line)
        : delay(beliefMs, undefined, { ref: false }),
    async close() {
      isClosed = true
      clearInterval(timer)
      const client = line?.client
      line = null
      if (client)
        await within(
          goodbyeMs,
          client.end().catch(() => {}),
        )
    },
  }
}
