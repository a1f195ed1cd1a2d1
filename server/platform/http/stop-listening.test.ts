import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, vi } from 'vitest'
import { openTestApp } from '../../testing/app.ts'

/** Listens, and keeps idle connections for longer than a test may take. */
async function listen() {
  const { app } = await openTestApp()
  app.server.keepAliveTimeout = 600_000
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  return { app, open: () => connect(port, '127.0.0.1') }
}
const head = 'POST /api/users/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n'

it('a stopping server answers connections that it has not accepted or read yet', async () => {
  const { app, open } = await listen()
  const answers = Array.from({ length: 20 }, () => {
    const socket = open()
    socket.write(`${head}{}`)
    return text(socket)
  })
  // The connections are made in the next tick, before the event loop accepts them.
  await Promise.resolve()
  await app.close()
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 4/)
})

it('a stopping server closes the connection of a slow request when it is answered', async () => {
  const { app, open } = await listen()
  const socket = open()
  const answer = text(socket)
  socket.write(head)
  await once(app.server, 'request')
  const closeIdle = vi.spyOn(app.server, 'closeIdleConnections')
  const closed = app.close()
  await expect.poll(() => closeIdle.mock.calls.length).toBeGreaterThan(0)
  socket.write('{}')
  await closed
  expect(await answer).toMatch(/^HTTP\/1.1 4/)
})
