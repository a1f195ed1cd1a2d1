import { mkdir, readdir, readFile, rm, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { makeTestFolder } from '../../testing/data-folder.ts'
import { quietLog } from '../../testing/log.ts'
import { openSpool, waitForChunkSlot } from './spool.ts'

const root = await makeTestFolder()

it('removes what a server that died has left, and nothing that is in use', async () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  for (const [name, minutes] of Object.entries({ dead: 6, alive: 4 })) {
    await mkdir(join(root, name))
    await utimes(join(root, name), minutesAgo(minutes), minutesAgo(minutes))
  }
  const spool = await openSpool(root, quietLog)
  expect(await readdir(root)).toEqual(['alive'])
  spool.close()
})

it('keeps a stream as a file with its facts, until its folder goes', async () => {
  const spool = await openSpool(root, quietLog)
  const before = await readdir(root)
  const folder = await spool.openFolder()
  const { path, bytes, sha256 } = await folder.write(Readable.from([Buffer.from('a '), Buffer.from('file')]))
  expect([await readFile(path, 'utf8'), bytes]).toEqual(['a file', 6])
  expect(sha256.toString('hex')).toMatch(/^[\da-f]{64}$/)
  const endless = folder.write(new Readable({ read() {} }))
  endless.catch(() => {})
  await folder.remove()
  await expect(endless).rejects.toThrow()
  expect(await readdir(root)).toEqual(before)
  spool.close()
})

it('goes on tidying when a folder in use has gone', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const spool = await openSpool(root, quietLog)
  const [gone, kept] = [await spool.openFolder(), await spool.openFolder()]
  await rm(dirname(gone.newPath()), { recursive: true })
  const old = new Date(Date.now() - 6 * 60_000)
  await mkdir(join(root, 'dead'))
  for (const folder of [join(root, 'dead'), dirname(kept.newPath())]) await utimes(folder, old, old)
  vi.advanceTimersByTime(60_000)
  await expect.poll(() => readdir(root)).not.toContain('dead')
  expect(await readdir(root)).toContain(basename(dirname(kept.newPath())))
  await Promise.all([gone.remove(), kept.remove()])
  spool.close()
  vi.useRealTimers()
})

it('leaves what another server has in use, however wrong its own clock is', async () => {
  const theirs = await openSpool(root, quietLog)
  const folder = await theirs.openFolder()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * 60_000 })
  const ours = await openSpool(root, quietLog)
  vi.useRealTimers()
  expect(await readdir(root)).toContain(basename(dirname(folder.newPath())))
  await folder.remove()
  for (const spool of [theirs, ours]) spool.close()
})

it('gives every chunk a separate iteration of the event loop, in the order of arrival', async () => {
  let round = 0
  let isOver = false
  const count = () => {
    round++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const order: number[] = []
  const rounds: number[] = []
  const turns = Array.from({ length: 300 }, async (_, index) => {
    await waitForChunkSlot()
    order.push(index)
    rounds.push(round)
  })
  await Promise.all(turns)
  isOver = true
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(new Set(rounds).size).toBe(rounds.length)
})
