import { expect, inject, test } from 'vitest'
import { password } from '../app.ts'
import { createDatabase, templateName } from '../database.ts'
import { logInAt, postTo } from '../remote-users.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'

const email = 'ada@uni.example'
const get = async (server: ServerProcess, path: string) =>
  (await fetch(`${server.url}${path}`, { headers: { accept: 'text/html' } })).status

test('a web server leaves its mails to a worker, which answers nothing but health', { timeout: 240_000 }, async () => {
  const DATABASE_URL = await createDatabase(inject('postgresUrl'), 'lectern_roles', templateName)
  const shared = { DATABASE_URL, SECRET: 'a secret that both of the servers have', LOG_LEVEL: 'info' }
  const web = await startServerProcess(undefined, { env: { ...shared, ROLE: 'web' } })
  const worker = await startServerProcess(web.dataDir, { env: { ...shared, ROLE: 'worker', PUBLIC_URL: web.url } })
  try {
    for (const server of [web, worker])
      expect([await get(server, '/healthz'), await get(server, '/readyz')]).toEqual([200, 200])
    for (const path of ['/', '/browse', '/api/users/me', '/api/config', '/api/docs', '/dev/outbox'])
      expect(await get(worker, path), path).toBe(404)
    await expect(logInAt(worker, email)).rejects.toThrow('/api/users/login answered 404')
    const form = { name: 'Ada', email, password, confirmPassword: password }
    await postTo(web, '/api/users/', form)
    const link = new URL(await worker.readMailedLink(email))
    expect(link.origin).toBe(web.url)
    await postTo(web, '/api/users/verify', { token: link.searchParams.get('token') })
    expect(await logInAt(web, email)).toBeTruthy()
    expect(worker.output()).toContain(link.href)
    expect(web.output()).not.toContain(link.href)
  } finally {
    await worker.interrupt()
    await web.stop()
  }
})
