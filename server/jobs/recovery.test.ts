import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineJob } from './job.ts'
import { openTestJobs } from './test-jobs.ts'
import { startTestPostgres, type TestPostgres } from './test-postgres.ts'

let postgres: TestPostgres

beforeAll(async () => {
  postgres = await startTestPostgres()
}, 60_000)
afterAll(() => postgres?.remove())

const userPayload = z.object({ userId: z.string() })
const within = (timeout: number) => ({ timeout, interval: 100 })

test.concurrent('a job of a server that was killed is taken over', async () => {
  const databaseUrl = await postgres.createDatabase()
  const jobs = openTestJobs(databaseUrl)
  const doomed = defineJob('test-doomed', userPayload)
  const ran: string[] = []
  const queue = jobs.createQueue({ takeOverAfterSeconds: 10 })
  const adder = jobs.createQueue({ runWorkers: false, takeOverAfterSeconds: 10 })
  queue.work(doomed, async ({ userId }) => void ran.push(userId))
  await adder.start()

  const server = spawn(process.execPath, [
    fileURLToPath(new URL('test-doomed-server.ts', import.meta.url)),
    databaseUrl,
  ])
  await adder.enqueue(jobs.db, doomed, { userId: 'a' })
  await once(server.stdout, 'data')
  server.kill('SIGKILL')
  await once(server, 'exit')
  await queue.start()

  await vi.waitFor(() => expect(ran).toEqual(['a']), within(30_000))
  await vi.waitFor(
    async () => expect(await jobs.findJobs(doomed.name)).toMatchObject([{ state: 'completed', retry_count: 1 }]),
    within(5_000),
  )
  await jobs.close()
}, 60_000)

test.concurrent('stop gives up on a job that does not end, and the next start takes it up again', async () => {
  const jobs = openTestJobs(await postgres.createDatabase())
  const endless = defineJob('test-endless', userPayload, { retryDelaySeconds: 1 })
  const started = Promise.withResolvers<AbortSignal>()
  let runs = 0
  const queue = jobs.createQueue()
  queue.work(endless, async (_payload, { signal }) => {
    runs += 1
    started.resolve(signal)
    if (runs === 1) await new Promise(() => {})
  })
  await queue.start()
  await queue.enqueue(jobs.db, endless, { userId: 'a' })
  const signal = await started.promise

  const stoppingAt = performance.now()
  await queue.stop()
  expect(performance.now() - stoppingAt).toBeLessThan(11_000)
  expect(signal.aborted).toBe(true)
  expect(await jobs.findJobs(endless.name)).toMatchObject([{ state: 'retry' }])

  await queue.start()
  await vi.waitFor(
    async () => expect(await jobs.findJobs(endless.name)).toMatchObject([{ state: 'completed' }]),
    within(10_000),
  )
  expect(runs).toBe(2)
  await jobs.close()
}, 40_000)

// Last: it takes the server away from under everything else.
test('a restart of PostgreSQL neither ends the process nor repeats what was done meanwhile', async () => {
  const jobs = openTestJobs(await postgres.createDatabase())
  const mail = defineJob('test-mail', userPayload, { concurrency: 2 })
  const started = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const ran: string[] = []
  const queue = jobs.createQueue()
  queue.work(mail, async ({ userId }) => {
    started.resolve()
    if (userId === 'under way') await release.promise
    ran.push(userId)
  })
  await queue.start()
  await queue.enqueue(jobs.db, mail, { userId: 'under way' })
  await started.promise

  await postgres.stop()
  await expect(queue.enqueue(jobs.db, mail, { userId: 'refused' })).rejects.toThrow()
  release.resolve()
  await vi.waitFor(() => expect(jobs.logged.map(({ level }) => level)).toContain('warn'), within(5_000))
  await postgres.start()

  await queue.enqueue(jobs.db, mail, { userId: 'after' })
  await vi.waitFor(async () => {
    const states = (await jobs.findJobs(mail.name)).map(({ state }) => state)
    expect(states).toEqual(['completed', 'completed'])
  }, within(20_000))
  expect([...ran].sort()).toEqual(['after', 'under way'])
  // Every worker fails at every poll while the server is away; the log does not.
  expect(jobs.logged.filter(({ level }) => level === 'warn').length).toBeLessThan(10)
  await jobs.close()
}, 60_000)
