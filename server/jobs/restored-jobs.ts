import type { Db } from '../db/pool.ts'
import type { JobDefinition } from './job.ts'
import type { Jobs } from './queue.ts'

/** Moves the jobs that a restore has left into the queue, each once. One of an unknown name stays. */
export async function takeOverRestoredJobs(db: Db, jobs: Jobs, known: JobDefinition<unknown>[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const names = known.map(({ name }) => name)
    const restored = await tx.deleteFrom('restored_jobs').where('name', 'in', names).returningAll().execute()
    for (const { id, name, data, priority, singleton_key, start_after } of restored) {
      const job = known.find((one) => one.name === name)
      const options = { id, priority, startAfter: start_after, ...(singleton_key && { singletonKey: singleton_key }) }
      if (job) await jobs.enqueue(tx, job, data, options)
    }
  })
}
