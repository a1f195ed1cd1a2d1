import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { say } from '../library.ts'

const program = fileURLToPath(new URL('node_modules/lighthouse/cli/index.js', import.meta.url))
const attempts = 4

/** `blockedMs` is Lighthouse's "total blocking time". */
export type Audit = { firstPaintMs: number; largestPaintMs: number; blockedMs: number; layoutShift: number }
type Result = { audits: Record<string, { numericValue?: number }> }

/**
 * Lighthouse's mobile preset with its simulated Slow 4G, in the browser that listens on the port. Cookies and storage of
 * that browser stay, so that whoever has logged in there is logged in here.
 */
export async function runLighthouse(url: string, port: number): Promise<Audit> {
  const options = [
    `--port=${port}`,
    '--disable-storage-reset',
    '--output=json',
    '--quiet',
    '--no-enable-error-reporting',
  ]
  const args = [program, url, ...options, '--only-categories=performance']
  for (let attempt = 1; ; attempt++) {
    try {
      const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 })
      const { audits } = JSON.parse(stdout) as Result
      const metricOf = (id: string) => audits[id]?.numericValue ?? Number.NaN
      return {
        firstPaintMs: metricOf('first-contentful-paint'),
        largestPaintMs: metricOf('largest-contentful-paint'),
        blockedMs: metricOf('total-blocking-time'),
        layoutShift: metricOf('cumulative-layout-shift'),
      }
    } catch (error) {
      // Errors of Lighthouse itself, which are frequent on a busy machine, say nothing about the page.
      const { stderr } = error as { stderr?: string }
      if (attempt === attempts || !stderr?.includes('Runtime error')) throw error
      say(stderr)
    }
  }
}
