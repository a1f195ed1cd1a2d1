import { startServerProcess } from '../server/testing/server-process.ts'

/** Starts the server that all journeys share, except those that need their own. */
// biome-ignore lint/style/noDefaultExport: Playwright calls the default export
export default async function startSharedServer(): Promise<() => Promise<void>> {
  const { url, dataDir, stop } = await startServerProcess()
  Object.assign(process.env, { LECTERN_URL: url, LECTERN_DATA_DIR: dataDir })
  return stop
}
