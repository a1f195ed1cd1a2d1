import { describe, expect, it } from 'vitest'
import { anonymisePdf } from './anonymise.ts'
import { inspectPdf } from './inspect.ts'
import { canary, canaryFiles } from './test/canary-files.ts'
import { holdsCanary } from './test/expand-pdf.ts'

describe('an anonymised file does not hold a name from', () => {
  it.each(Object.entries(canaryFiles))('%s', async (_place, file) => {
    expect((await holdsCanary(file, canary)) || (await holdsCanary(file, canary.replace(' ', '')))).toBe(true)

    const copy = await anonymisePdf(file)
    if (!copy) throw new Error('refused')
    expect(await inspectPdf(copy)).toEqual({ kind: 'ok', pageCount: 1 })
    expect(await holdsCanary(copy, canary)).toBe(false)
    expect(await holdsCanary(copy, canary.replace(' ', ''))).toBe(false)
    expect(await holdsCanary(copy, 'Zyxwvut')).toBe(false)
  })
})
