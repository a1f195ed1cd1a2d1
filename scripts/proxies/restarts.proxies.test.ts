import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEmbeddedDatabase } from '../../server/platform/embedded-postgres/embedded.ts'
import { findFreePort } from '../../server/platform/embedded-postgres/free-port.ts'
import { makeDataFolder, removeDataFolder } from '../../server/testing/data-folder.ts'
import { field, file, goodFields, makeForm } from '../../server/testing/form.ts'
import { quietLog } from '../../server/testing/log.ts'
import { type ServerProcess, startServerProcess } from '../../server/testing/server-process.ts'
import { openDaemons, waitUntil } from '../../server/testing/services.ts'
import { openClient, readAuthority, siteCaddy, siteNginx } from './test/proxy.ts'

const account = { name: 'Ada Okafor', email: 'ada@uni.example', password: 'Marigold desk 42!' }
const daemons = await openDaemons('proxies')
const dataDir = await makeDataFolder()
const database = await startEmbeddedDatabase({ dataDir: await makeDataFolder(), password: 'test', log: quietLog })
const ports = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')]
const servers: ServerProcess[] = []

/** Both servers share one database and one folder of files. */
async function start(at: number): Promise<void> {
  const shared = { DATABASE_URL: database.url, PUBLIC_URL: 'https://localhost', SECRET: 'x'.repeat(32) }
  const env = { ...shared, PORT: String(ports[at]), DRAIN_SECONDS: '5', TRUST_PROXY: '127.0.0.1' }
  servers[at] = await startServerProcess(dataDir, { env })
}

beforeAll(async () => {
  await start(0)
  await start(1)
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.interrupt()))
  await daemons.stop()
  await database.stop()
  await removeDataFolder(dataDir)
})

it.each([
  ['Caddy', siteCaddy],
  ['nginx', siteNginx],
] as const)('two servers restart one after the other behind %s, and no request fails', async (name, site) => {
  const proxy = await daemons.start(name, site({ httpPort: await findFreePort('127.0.0.1'), servers: ports }))
  const url = `https://localhost:${proxy.port}`
  const ca = await readAuthority(proxy)
  const client = openClient(url, ca)
  await waitUntil('The proxy reaches Lectern', async () => (await client.send('/readyz')).status === 200)
  const headers = { origin: 'https://localhost' }
  const post = (path: string, body: object) => client.send(path, { method: 'POST', headers, body })
  const email = account.email.replace('@', `+${name.toLowerCase()}@`)
  await post('/api/users/', { ...account, email, confirmPassword: account.password })
  // Either server may have sent it.
  const link = await Promise.any(servers.map((server) => server.readMailedLink(email)))
  const token = new URL(link).searchParams.get('token')
  await post('/api/users/verify', { token })
  const credentials = { email, password: account.password }
  const login = await post('/api/users/login', credentials)
  const auth = { ...headers, authorization: `Bearer ${login.json().accessToken}` }

  const upload = async () => {
    const form = makeForm([...goodFields, field('isAnonymous', 'false'), file()])
    return client.send('/api/notes', { method: 'POST', headers: { ...auth, ...form.headers }, body: form.payload })
  }
  const { notes } = (await upload()).json<{ notes: { _id: string }[] }>()
  const note = `/api/notes/${notes[0]?._id}`
  const kinds = [
    () => client.send('/'),
    () => client.send('/api/notes', { headers: auth }),
    () => client.send('/api/search?text=notes', { headers: auth }),
    () => client.send(`${note}/view`, { headers: auth }),
    () =>
      client.send('/api/users/me', { method: 'PATCH', headers: auth, body: { recentlyViewedNotes: [notes[0]?._id] } }),
    () => post('/api/users/login', credentials),
    upload,
  ]
  const failures: unknown[] = []
  const pending = new Set<Promise<void>>()
  let isOver = false
  let sent = 0
  async function sendAlways() {
    while (!isOver) {
      const kind = sent++ % kinds.length
      const asked = (kinds[kind] as (typeof kinds)[number])()
      const answered = asked
        .then(
          ({ status, body }) => void (status >= 300 && failures.push([kind, status, body.toString().slice(0, 200)])),
          (error) => void failures.push([kind, String(error)]),
        )
        .finally(() => pending.delete(answered))
      pending.add(answered)
      // One account may have eight uploads waiting; a slow machine would refuse more as too many.
      while (pending.size >= 8) await Promise.race(pending)
      await delay(50)
    }
  }
  const sending = sendAlways()
  for (const at of [0, 1]) {
    await delay(1_000)
    await servers[at]?.interrupt()
    await start(at)
    // Operators wait for this before they restart the next server.
    await waitUntil('It is ready', async () => (await fetch(`http://127.0.0.1:${ports[at]}/readyz`)).ok)
    await delay(3_000)
  }
  isOver = true
  await sending
  await Promise.all(pending)
  client.close()
  expect(failures).toEqual([])
  expect(sent).toBeGreaterThan(200)
})
