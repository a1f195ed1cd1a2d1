import { defineConfig, devices } from '@playwright/test'
import { chromiumArgs, findChromium, findInstalledChromium } from './e2e/browser.ts'

const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } }
/** One pixel per CSS pixel: the seven times as many of a real phone would be rendered by the CPU here. */
const phone = { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 }
const installed = findInstalledChromium()

// biome-ignore lint/style/noDefaultExport: Playwright reads its configuration from the default export
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/lectern.ts',
  // They need an S3 storage, which `npm run test:full -- s3` starts.
  testIgnore: process.env.TEST_S3_ENDPOINT ? [] : '**/*.s3.spec.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // Long timeouts, so that tests also pass on a machine under ten times the load.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  outputDir: 'test-results/playwright',
  use: {
    actionTimeout: 60_000,
    // Animations take a fifth of the CPU time; only the main journey runs with them.
    contextOptions: { reducedMotion: 'reduce' },
    // Records actions and responses; screenshots and snapshots would double the cost.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    launchOptions: { executablePath: await findChromium(), args: chromiumArgs },
  },
  projects: [
    { name: 'desktop', use: desktop, grepInvert: /@fingers/ },
    { name: 'phone', use: phone, grep: /@phone/ },
    // The browser of the tests has no PDF viewer. If another browser has one, the main journey runs in it too.
    ...(installed === undefined
      ? []
      : [
          {
            name: 'installed',
            use: { ...desktop, launchOptions: { executablePath: installed, args: chromiumArgs } },
            grep: /@reader/,
          },
        ]),
  ],
})
