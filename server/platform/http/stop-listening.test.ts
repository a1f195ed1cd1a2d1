import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { openTestApp } from '../../testing/app.ts'

it('answers requests of connections that a stopping server has not accepted or read yet', async () => {
  const { app } = await openTestApp()
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const request = 'POST /api/users/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}'
  const answers = Array.from({ length: 20 }, () => {
    const socket = connect(port, '127.0.0.1')
    socket.write(request)
    return text(socket)
  })
  // The connections are made in the next tick, before the event loop accepts them.
  await Promise.resolve()
  await app.close()
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 4/)
})
