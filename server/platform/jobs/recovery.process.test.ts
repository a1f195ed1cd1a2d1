import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, inject, test, vi } from 'vitest'
import { z } from 'zod'
import { createDatabase, templateName } from '../../testing/database.ts'
import { newDatabaseName, openTestJobs } from '../../testing/jobs.ts'
import { startProxy } from '../../testing/proxy.ts'
import { defineJob } from './job.ts'

const userPayload = z.object({ userId: z.string() })
const createJobsDatabase = () => createDatabase(inject('postgresUrl'), newDatabaseName(), templateName)
/** Far longer than anything here takes, even on a busy machine. */
const patience = { timeout: 90_000, interval: 100 }
vi.setConfig({ testTimeout: 180_000 })

test.concurrent.each([
  ['once is taken over', 1, { state: 'completed', retry_count: 1 }, ['a']],
  ['twice is set aside', 2, { state: 'failed', retry_count: 2 }, []],
] as const)('a job whose server was killed %s', async (_what, times, end, done) => {
  const databaseUrl = await createJobsDatabase()
  const jobs = openTestJobs(databaseUrl)
  const doomed = defineJob('test-doomed', userPayload)
  const ran: string[] = []
  const adder = jobs.createQueue({ runWorkers: false, heartbeatTimeoutSeconds: 10 })
  await adder.start()
  await adder.enqueue(jobs.db, doomed, { userId: 'a' })
  const file = fileURLToPath(new URL('../../testing/hanging-worker.ts', import.meta.url))
  for (let killed = 0; killed < times; killed++) {
    const server = spawn(process.execPath, [file, databaseUrl])
    await once(server.stdout, 'data')
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  await jobs.startQueue(doomed, async ({ userId }) => void ran.push(userId), { heartbeatTimeoutSeconds: 10 })
  await vi.waitFor(async () => expect(await jobs.findJobs(doomed.name)).toMatchObject([end]), patience)
  expect(ran).toEqual(done)
  await jobs.close()
})

test.concurrent('stop gives up on a job that does not end, and the next start takes it up again', async () => {
  const jobs = openTestJobs(await createJobsDatabase())
  const endless = defineJob('test-endless', userPayload, { retryDelaySeconds: 1 })
  const started = Promise.withResolvers<AbortSignal>()
  let runs = 0
  const queue = await jobs.startQueue(endless, async (_payload, { signal }) => {
    runs += 1
    started.resolve(signal)
    if (runs === 1) await new Promise(() => {})
  })
  await queue.enqueue(jobs.db, endless, { userId: 'a' })
  const signal = await started.promise
  await queue.stop(500)
  expect(signal.aborted).toBe(true)
  // A busy database may record this a little after the stop.
  await vi.waitFor(async () => expect(await jobs.findJobs(endless.name)).toMatchObject([{ state: 'retry' }]), patience)
  await queue.start()
  await vi.waitFor(
    async () => expect(await jobs.findJobs(endless.name)).toMatchObject([{ state: 'completed' }]),
    patience,
  )
  expect(runs).toBe(2)
  await jobs.close()
})

test.concurrent('what is done while PostgreSQL is away is recorded when it is back, and not done twice', async () => {
  const proxy = await startProxy(await createJobsDatabase())
  const jobs = openTestJobs(proxy.url)
  const mail = defineJob('test-mail', userPayload, { concurrency: 2 })
  const started = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const ran: string[] = []
  const queue = await jobs.startQueue(mail, async ({ userId }) => {
    started.resolve()
    if (userId === 'in progress') await release.promise
    ran.push(userId)
  })
  await queue.enqueue(jobs.db, mail, { userId: 'in progress' })
  await started.promise
  proxy.cut()
  await expect(queue.enqueue(jobs.db, mail, { userId: 'refused' })).rejects.toThrow()
  const refusedBefore = proxy.countRefused()
  release.resolve()
  await vi.waitFor(() => expect(ran).toEqual(['in progress']), patience)
  // The end of the work is reported immediately; the other worker polls twice a second.
  await vi.waitFor(() => expect(proxy.countRefused()).toBeGreaterThan(refusedBefore + 3), patience)
  proxy.restore()
  await queue.enqueue(jobs.db, mail, { userId: 'after' })
  await vi.waitFor(async () => {
    expect((await jobs.findJobs(mail.name)).map(({ state }) => state)).toEqual(['completed', 'completed'])
  }, patience)
  expect([...ran].sort()).toEqual(['after', 'in progress'])
  // Every worker fails at every poll during the outage, but the log is throttled.
  expect(jobs.logged.filter(({ level }) => level === 'warn').length).toBeLessThan(10)
  await jobs.close()
  await proxy.close()
})

test.concurrent('while PostgreSQL is away start rejects and may be called again, and stop does not hang', async () => {
  const proxy = await startProxy(await createJobsDatabase())
  const jobs = openTestJobs(proxy.url)
  const mail = defineJob('test-mail', userPayload, { concurrency: 2 })
  const ran: string[] = []
  const queue = jobs.createQueue()
  queue.work(mail, async ({ userId }) => void ran.push(userId))
  proxy.cut()
  await expect(queue.start()).rejects.toThrow()
  await expect(queue.enqueue(jobs.db, mail, { userId: 'too early' })).rejects.toThrow('not started')
  await queue.stop()
  proxy.restore()
  await queue.start()
  await queue.enqueue(jobs.db, mail, { userId: 'a' })
  await vi.waitFor(() => expect(ran).toEqual(['a']), patience)
  proxy.cut()
  await queue.stop()
  await jobs.close()
  await proxy.close()
})
