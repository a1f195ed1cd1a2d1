import { expect } from '@playwright/test'
import { test } from './test.ts'

test('no text becomes markup or a script in a page, whatever wrote it', async ({ page, consoleErrors }) => {
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'Login to Lectern' })).toBeVisible()
  const outcomes = await page.evaluate(() => {
    const ways: Record<string, () => unknown> = {
      markup: () => Object.assign(document.createElement('div'), { innerHTML: '<b>bold</b>' }),
      'a script by its address': () => Object.assign(document.createElement('script'), { src: '/theme.js' }),
      'a script by its text': () => Object.assign(document.createElement('script'), { text: 'window.told = true' }),
      'a worker': () => new Worker('/theme.js'),
      'a document': () => Object.assign(document.createElement('iframe'), { srcdoc: '<b>bold</b>' }),
    }
    return Object.entries(ways).map(([way, make]) => {
      try {
        make()
        return `${way} was made`
      } catch (error) {
        return (error as Error).name
      }
    })
  })
  expect(outcomes).toEqual(['TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError'])
  // The console shows these five errors and no others.
  await expect.poll(() => consoleErrors).toHaveLength(5)
  expect(consoleErrors.splice(0).filter((text) => !/requires 'Trusted\w+' assignment/.test(text))).toEqual([])

  await page.goto('/api/docs')
  await expect(page.getByRole('heading', { name: /^Lectern/ })).toBeVisible()
})
