import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { onParentExit } from '../server/operations/start/process.ts'

/** `npm run dev`: works like `npm start`, with pages that reload and a server that restarts after an edit. */
const root = fileURLToPath(new URL('../', import.meta.url))
const port = Number(process.env.PORT || 3000)
const apiPort = port + 1
const api = `http://127.0.0.1:${apiPort}`

const server: ChildProcess = spawn(
  process.execPath,
  [
    ...['server', 'packages'].map((folder) => `--watch-path=${root}${folder}`),
    '--watch-preserve-output',
    `${root}server/main.ts`,
  ],
  {
    stdio: 'inherit',
    env: { ...process.env, PORT: String(apiPort), PUBLIC_URL: process.env.PUBLIC_URL || `http://localhost:${port}` },
  },
)
const pages = await createServer({
  root: `${root}web`,
  // The modules below web/platform/api belong to the pages, not to the API.
  server: {
    port,
    strictPort: true,
    proxy: {
      '^/api/(?!.*\\.tsx?(\\?|$))': api,
      '/dev/outbox': api,
      // The page and the API call share this address.
      '/unsubscribe': { target: api, bypass: ({ method, url }) => (method === 'GET' ? url : undefined) },
    },
  },
})
await pages.listen()

async function stop(): Promise<void> {
  server.kill('SIGTERM')
  await pages.close()
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
onParentExit(stop)
