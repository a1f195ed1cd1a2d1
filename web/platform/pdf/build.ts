/**
 * Whether the browser has the newest functions that pdf.js calls. Others load its legacy build, which defines them first:
 * that takes a phone 50 ms.
 */
const isRecentBrowser = 'sumPrecise' in Math && 'getOrInsertComputed' in Map.prototype

/**
 * Returns what belongs to the build of pdf.js for this browser. Imports are passed as functions: Vite would merge two
 * imports of one expression, and preload the files of one of them only.
 */
export const pickBuild = <T>(builds: { recent: T; legacy: T }): T => builds[isRecentBrowser ? 'recent' : 'legacy']
