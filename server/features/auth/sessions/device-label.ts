import type { FastifyRequest } from 'fastify'

/** The first match counts. Browsers name those they descend from, so the newest come first. */
const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\biPhone\b|\biPod\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'Mac'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]
const maxUserAgentLength = 1_000

/**
 * Returns the label that a student sees, such as `Firefox on Windows`. Nothing else of the user agent is stored, and
 * labels are never the client's own text. Null when neither browser nor system is recognised.
 */
export function labelDevice(userAgent: string | undefined): string | null {
  const text = (userAgent ?? '').slice(0, maxUserAgentLength)
  const [browser, system] = [browsers, systems].map((list) => list.find(([sign]) => sign.test(text))?.[1])
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? null
}

export const getDeviceLabel = ({ headers }: FastifyRequest): string | null => labelDevice(headers['user-agent'])
