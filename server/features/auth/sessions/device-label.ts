import type { FastifyRequest } from 'fastify'

/** The first that fits. Browsers name those they descend from, so the youngest come first. */
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
 * What a student knows a device by: `Firefox on Windows`. Of what it says of itself no more is kept than that; a label is
 * one of ours, never a text of the device's own. Null where it says nothing we know.
 */
export function labelDevice(userAgent: string | undefined): string | null {
  const text = (userAgent ?? '').slice(0, maxUserAgentLength)
  const [browser, system] = [browsers, systems].map((list) => list.find(([sign]) => sign.test(text))?.[1])
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? null
}

/** The label of whatever sent a request. */
export const labelOfRequest = ({ headers }: FastifyRequest): string | null => labelDevice(headers['user-agent'])
