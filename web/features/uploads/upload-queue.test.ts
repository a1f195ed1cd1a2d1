import { expect, it } from 'vitest'
import { id } from '../../../packages/contract/fields.ts'
import { randomId, readProgress, type UploadStatus } from './upload-queue.ts'

const file = { size: 1_000 } as File
const sending = (loaded: number, total: number): UploadStatus => ({ kind: 'sending', loaded, total })
const waiting: UploadStatus = { kind: 'waiting' }

it.each<[UploadStatus[], { sent: number; isChecking: boolean }]>([
  [[sending(0, 0)], { sent: 0, isChecking: false }],
  [[sending(600, 1_200), waiting], { sent: 500, isChecking: false }],
  [[sending(1_200, 1_200), sending(0, 0)], { sent: 1_000, isChecking: false }],
  // The third waits until the server has checked one of the first two, so nothing is being sent.
  [[sending(1_200, 1_200), sending(1_200, 1_200), waiting], { sent: 2_000, isChecking: true }],
  [[waiting], { sent: 0, isChecking: false }],
])('describes %j as %j', (all, progress) => {
  const rows = all.map((each) => ({ file, sending: each }))
  expect(readProgress(rows)).toEqual({ bytes: 1_000 * all.length, ...progress })
})

it('makes ids as the API takes them, never the same twice', () => {
  const ids = Array.from({ length: 1_000 }, randomId)
  for (const each of ids) expect(id.safeParse(each).success, each).toBe(true)
  expect(new Set(ids).size).toBe(1_000)
})
