import { expect, it } from 'vitest'
import { notMegabytes, quotaForm } from './members.ts'

const read = (typed: string) => quotaForm(1_000).safeParse({ dailyUploadMb: typed })

it('reads a whole number of megabytes up to what the server is set up for, or none', () => {
  const limits = [' 20 ', '', ' ', '1000'].map((typed) => read(typed).data?.dailyUploadMb)
  expect(limits).toEqual([20, null, null, 1_000])
  for (const nonsense of ['0', '-1', '1.5', 'much', '1001', '1e3']) {
    expect(read(nonsense).error?.issues).toMatchObject([{ path: ['dailyUploadMb'], message: notMegabytes(1_000) }])
  }
})
