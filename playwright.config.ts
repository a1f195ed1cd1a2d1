import { defineConfig, devices } from '@playwright/test'
import { chromiumArgs, findChromium, findInstalledChromium } from './e2e/browser.ts'

const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } }
/** As many pixels as points: a real phone's seven times as many are drawn by the processor here. */
const phone = { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 }
const installed = findInstalledChromium()

// biome-ignore lint/style/noDefaultExport: Playwright reads its configuration from the default export
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  // Those need a store that speaks S3, which `npm run test:full -- s3` has.
  testIgnore: process.env.TEST_S3_ENDPOINT ? [] : '**/*.s3.spec.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // Patient, so that a machine with ten times as much to do turns no test red.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  outputDir: 'test-results/playwright',
  use: {
    actionTimeout: 60_000,
    // Frames of what moves cost a fifth of the processor's time; the main job is done with them.
    contextOptions: { reducedMotion: 'reduce' },
    // What was done and answered; pictures and copies of the pages would cost as much again.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    launchOptions: { executablePath: await findChromium(), args: chromiumArgs },
  },
  projects: [
    { name: 'desktop', use: desktop, grepInvert: /@fingers/ },
    { name: 'phone', use: phone, grep: /@phone/ },
    // The browser of the tests has no PDF reader. Where there is one with it, the main job is done in that too.
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
