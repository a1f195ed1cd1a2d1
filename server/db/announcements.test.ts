import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { pino } from 'pino'
import { expect, inject, it } from 'vitest'
import { openAnnouncements } from './announcements.ts'

it('who closes while the connection is being opened hears nothing of it, as a command that ends at once', async () => {
  const { port, hostname } = new URL(inject('postgresUrl'))
  const way = createServer((incoming) => {
    const outgoing = createConnection(Number(port), hostname)
    incoming.pipe(outgoing).pipe(incoming)
    for (const socket of [incoming, outgoing]) socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(way, 'listening')
  const url = new URL(inject('postgresUrl'))
  url.port = String((way.address() as AddressInfo).port)

  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const announcements = openAnnouncements(url.href, log)
  const [connection] = (await once(way, 'connection')) as [Socket]
  // An error, as of what PostgreSQL says to somebody who has gone, ends it too.
  const gone = new Promise((resolve) => connection.once('close', resolve))
  await announcements.close()
  await gone
  expect(lines).toEqual([])
  way.close()
})
