import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { createDatabase, templateName } from '../../testing/database.ts'
import { newDatabaseName, openTestJobs, type TestJobs } from '../../testing/jobs.ts'
import { inTransaction } from '../db/transaction.ts'
import { defineJob, emptyPayload } from './job.ts'

let jobs: TestJobs

beforeEach(async () => {
  jobs = openTestJobs(await createDatabase(inject('postgresUrl'), newDatabaseName(), templateName))
})
afterEach(() => jobs.close())

const userPayload = z.object({ userId: z.string() })
const quick = { attempts: 3, retryDelaySeconds: 1, retryDelayMaxSeconds: 1 }
const statesOf = async (name: string) => (await jobs.findJobs(name)).map(({ state }) => state)
/** Starts a queue with a job whose handler records the user ids it receives. */
async function startRecording(name: string, options = {}) {
  const [mail, ran] = [defineJob(name, userPayload, options), [] as string[]]
  const queue = await jobs.startQueue(mail, async ({ userId }) => void ran.push(userId))
  return { mail, ran, queue }
}

test('a job exists exactly if the transaction that adds it commits', async () => {
  const { mail, ran, queue } = await startRecording('test-mail')
  const rolledBack = inTransaction(jobs.db, async (tx) => {
    await queue.enqueue(tx, mail, { userId: 'rolled back' })
    throw new Error('changed my mind')
  })
  await expect(rolledBack).rejects.toThrow('changed my mind')
  expect(await jobs.findJobs(mail.name)).toEqual([])
  await inTransaction(jobs.db, async (tx) => {
    await queue.enqueue(tx, mail, { userId: 'committed' })
    // A worker that saw the uncommitted job would have run it first: this later job is done before.
    await queue.enqueue(jobs.db, mail, { userId: 'later' })
    await expect.poll(() => ran).toEqual(['later'])
  })
  await expect.poll(() => ran).toEqual(['later', 'committed'])
  const once = { state: 'completed', retry_count: 0 }
  await expect.poll(() => jobs.findJobs(mail.name)).toMatchObject([once, once])
})

test('a start updates the settings of a queue that have changed', async () => {
  for (const timeoutSeconds of [60, 60, 61]) {
    await (await jobs.startQueue(defineJob('test-changed', userPayload, { timeoutSeconds }), async () => {})).stop()
    const { rows } = await jobs.query(`SELECT expire_seconds FROM pgboss.queue WHERE name = 'test-changed'`)
    expect(rows).toEqual([{ expire_seconds: timeoutSeconds }])
  }
})

test('workers listen for jobs on one connection, and on another one when that is lost', async () => {
  const { mail, ran, queue } = await startRecording('test-mail')
  const findListeners = async () => {
    const { rows } = await jobs.query(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'lectern-listener' AND datname = current_database()`,
    )
    return rows.map(({ pid }) => Number(pid))
  }
  const [lost, ...others] = await findListeners()
  expect(others).toEqual([])
  expect((await jobs.query('SELECT notify FROM pgboss.queue WHERE name = $1', [mail.name])).rows).toEqual([
    { notify: true },
  ])
  await jobs.query('SELECT pg_terminate_backend($1)', [lost])
  const findOthers = async () => (await findListeners()).map((pid) => pid !== lost)
  await expect.poll(findOthers).toEqual([true])
  await queue.enqueue(jobs.db, mail, { userId: 'a' })
  await expect.poll(() => ran).toEqual(['a'])
  await queue.stop()
  await expect.poll(findListeners).toEqual([])
})

test('a job that fails is tried again until it succeeds', async () => {
  const flaky = defineJob('test-flaky', userPayload, quick)
  const runs: { jobId: string; attempt: number }[] = []
  const queue = await jobs.startQueue(flaky, async (_payload, { jobId, attempt }) => {
    runs.push({ jobId, attempt })
    if (attempt < 3) throw new Error('not yet')
  })
  await queue.enqueue(jobs.db, flaky, { userId: 'a' })
  await expect.poll(() => jobs.findJobs(flaky.name)).toMatchObject([{ state: 'completed', retry_count: 2 }])
  expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
  expect(new Set(runs.map(({ jobId }) => jobId)).size).toBe(1)
})

test('a job that never succeeds ends as failed, is logged and stays visible', async () => {
  const hopeless = defineJob('test-hopeless', userPayload, { ...quick, attempts: 2 })
  let runs = 0
  const queue = await jobs.startQueue(hopeless, async () => {
    runs += 1
    throw new Error('no way')
  })
  await queue.enqueue(jobs.db, hopeless, { userId: 'a' })
  await expect.poll(() => jobs.findJobs(hopeless.name)).toMatchObject([{ state: 'failed', data: { userId: 'a' } }])
  expect(runs).toBe(2)
  expect((await jobs.findJobs(hopeless.name))[0]?.output).toEqual({ message: 'no way' })
  expect(jobs.logged).toContainEqual({ level: 'error', message: 'A job failed permanently' })
})

test('a payload that does not match its schema fails the job immediately and harms no other', async () => {
  const old = defineJob('test-changed', z.object({ user: z.string() }), quick)
  const { mail: current, ran, queue } = await startRecording('test-changed', quick)
  await queue.enqueue(jobs.db, old, { user: 'from an older release' })
  await queue.enqueue(jobs.db, current, { userId: 'a' })
  await expect.poll(() => statesOf(current.name)).toEqual(['failed', 'completed'])
  expect(ran).toEqual(['a'])
  expect(jobs.logged).toContainEqual({ level: 'error', message: 'The payload of a job doesn’t match its schema' })
})

test('a payload that does not fit is refused when it is added', async () => {
  const mail = defineJob('test-strict', z.strictObject({ userId: z.string() }))
  const queue = jobs.createQueue({ runWorkers: false })
  await expect(queue.enqueue(jobs.db, mail, { userId: 'a' })).rejects.toThrow('not started')
  await queue.start()
  const smuggled = { userId: 'a', token: 'secret' }
  await expect(queue.enqueue(jobs.db, mail, smuggled)).rejects.toThrow(z.ZodError)
  expect(await jobs.findJobs(mail.name)).toEqual([])
})

test('two servers claim each of 100 jobs once', async () => {
  const counted = defineJob('test-counted', z.object({ number: z.int() }), { concurrency: 5 })
  const ran: number[] = []
  const working = new Set<string>()
  const bothWork = Promise.withResolvers<void>()
  const [first, second] = [jobs.createQueue(), jobs.createQueue()]
  // No job ends before both servers hold one, so a server that is quicker cannot do all the work alone.
  const handle = (server: string) => async (payload: { number: number }) => {
    ran.push(payload.number)
    working.add(server)
    if (working.size === 2) bothWork.resolve()
    await bothWork.promise
  }
  first.work(counted, handle('first'))
  second.work(counted, handle('second'))
  await first.start()
  for (let number = 0; number < 100; number++) await first.enqueue(jobs.db, counted, { number })
  await second.start()
  await expect.poll(() => statesOf(counted.name)).toEqual(Array(100).fill('completed'))
  expect(ran.sort((a, b) => a - b)).toEqual([...Array(100).keys()])
})

test('servers that start simultaneously on an empty database all start, and the job runs once', async () => {
  const mail = defineJob('test-crowd', userPayload)
  const ran: string[] = []
  await jobs.close()
  jobs = openTestJobs(await createDatabase(inject('postgresUrl'), newDatabaseName()))
  const crowd = Array.from({ length: 4 }, () => jobs.createQueue())
  for (const queue of crowd) queue.work(mail, async ({ userId }) => void ran.push(userId))
  await Promise.all(crowd.map((queue) => queue.start()))
  await crowd[0]?.enqueue(jobs.db, mail, { userId: 'a' })
  await expect.poll(() => statesOf(mail.name)).toEqual(['completed'])
  expect(ran).toEqual(['a'])
})

test('a slow job does not hold up the others', async () => {
  const mail = defineJob('test-tarpit', userPayload, { concurrency: 2 })
  const ran: string[] = []
  const release = Promise.withResolvers<void>()
  const queue = await jobs.startQueue(mail, async ({ userId }) => {
    if (userId === 'slow') await release.promise
    ran.push(userId)
  })
  for (const userId of ['slow', 'a', 'b', 'c']) await queue.enqueue(jobs.db, mail, { userId })
  await expect.poll(() => ran).toEqual(['a', 'b', 'c'])
  release.resolve()
  await expect.poll(() => ran).toContain('slow')
})

test('a run that takes too long is aborted and tried again', async () => {
  const stuck = defineJob('test-stuck', userPayload, { ...quick, timeoutSeconds: 1 })
  const aborted: boolean[] = []
  const queue = await jobs.startQueue(stuck, async (_payload, { signal }) => {
    if (aborted.length > 0) return
    // This work ignores its signal.
    signal.addEventListener('abort', () => aborted.push(true))
    await new Promise(() => {})
  })
  await queue.enqueue(jobs.db, stuck, { userId: 'a' })
  await expect.poll(() => jobs.findJobs(stuck.name)).toMatchObject([{ state: 'completed', retry_count: 1 }])
  expect(aborted).toEqual([true])
  expect(jobs.logged).toContainEqual({ level: 'warn', message: 'A job was interrupted and will be retried' })
})

test('stop waits for running jobs and starts no new one', async () => {
  const mail = defineJob('test-stop', userPayload, { concurrency: 1 })
  const started = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const ran: string[] = []
  const queue = await jobs.startQueue(mail, async ({ userId }) => {
    started.resolve()
    await release.promise
    ran.push(userId)
  })
  await queue.enqueue(jobs.db, mail, { userId: 'in progress' })
  await started.promise
  await queue.enqueue(jobs.db, mail, { userId: 'waiting' })
  const order: string[] = []
  const stopped = queue.stop().then(() => order.push('stopped'))
  // The queue still accepts jobs meanwhile, and this round trip to the database shows that it has not stopped.
  await queue.enqueue(jobs.db, mail, { userId: 'waiting too' })
  order.push('released')
  release.resolve()
  await stopped
  expect(order).toEqual(['released', 'stopped'])
  expect(ran).toEqual(['in progress'])
  expect(await statesOf(mail.name)).toEqual(['completed', 'created', 'created'])
  await queue.stop()
  await queue.start()
  await expect.poll(() => ran).toEqual(['in progress', 'waiting', 'waiting too'])
})

test('a key keeps a second job from being added while the first one waits', async () => {
  const digest = defineJob('test-digest', userPayload)
  const queue = jobs.createQueue({ runWorkers: false })
  await queue.start()
  await queue.enqueue(jobs.db, digest, { userId: 'a' }, { singletonKey: 'a' })
  await queue.enqueue(jobs.db, digest, { userId: 'a' }, { singletonKey: 'a' })
  await queue.enqueue(jobs.db, digest, { userId: 'b' }, { singletonKey: 'b' })
  await queue.enqueue(jobs.db, digest, { userId: 'c' })
  await queue.enqueue(jobs.db, digest, { userId: 'c' })
  const waiting = (await jobs.findJobs(digest.name)).map(({ data }) => data)
  expect(waiting).toEqual(['a', 'b', 'c', 'c'].map((userId) => ({ userId })))
})

test('a schedule goes with the next server of its own release or a newer one that does not have it', async () => {
  const cron = '*/5 * * * *'
  const begin = async (version: string, name: string) => {
    const queue = jobs.createQueue({ version })
    queue.work(defineJob(name, emptyPayload), async () => {}, cron)
    await queue.start()
    const { rows } = await jobs.query('SELECT name, cron FROM pgboss.schedule ORDER BY name')
    await queue.stop()
    return rows
  }
  const [newer, older] = ['test-new-sweep', 'test-sweep'].map((name) => ({ name, cron }))
  expect(await begin('0.10.0', 'test-new-sweep')).toEqual([newer])
  expect(await begin('0.9.0', 'test-sweep')).toEqual([newer, older])
  expect(await begin('0.11.0', 'test-sweep')).toEqual([older])
  expect(await begin('0.11.0', 'test-new-sweep')).toEqual([newer])
})

test('the name of a job has to be one', () => {
  expect(() => defineJob("x'; DROP TABLE", userPayload)).toThrow('cannot be the name')
})
