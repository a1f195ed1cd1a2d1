import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export type ReceivedMail = { from: string; recipients: string[]; content: string }

/** Starts a real mail server on a free port, which keeps the mails it receives. */
export async function startSmtpServer(options: SMTPServerOptions = {}, port = 0) {
  const received: ReceivedMail[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onConnect(_session, done) {
      connections += 1
      done()
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const recipients = rcptTo.map(({ address }) => address)
        const content = Buffer.concat(chunks).toString('utf8')
        received.push({ from: mailFrom ? mailFrom.address : '', recipients, content })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  const listening = server.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { received, port: getPort(listening), countConnections: () => connections, close }
}

/** Starts a server that handles its connections with `onConnection`. */
export async function startTcpServer(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    onConnection(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: getPort(server),
    countOpen: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const getPort = (server: { address(): unknown }) => (server.address() as { port: number }).port
