import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type ClientHttp2Stream, connect, type IncomingHttpHeaders } from 'node:http2'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { Daemon, Define } from '../../../server/testing/services.ts'

export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  json<T = Record<string, unknown>>(): T
}
type Request = { method?: string; headers?: Record<string, string>; body?: Buffer | object }

/** Opens an HTTP/2 client, as browsers use, that trusts only one certificate authority. */
export function openClient(url: string, ca: string, localAddress?: string) {
  const { port, hostname: servername } = new URL(url)
  // `localhost` may resolve to an address that the proxy does not listen on.
  const socket = { host: '127.0.0.1', port: Number(port), servername, ca, localAddress, ALPNProtocols: ['h2'] }
  const session = connect(url, { createConnection: () => connectTls(socket) })
  session.on('error', () => {})

  /** Opens a request whose body the caller sends. */
  const open = (method: string, path: string, headers: Record<string, string> = {}, endStream = false) =>
    session.request({ ':method': method, ':path': path, ...headers }, { endStream })

  async function send(path: string, { method = 'GET', headers = {}, body }: Request = {}): Promise<Answer> {
    if (body === undefined) return receive(open(method, path, headers, true))
    const bytes = Buffer.isBuffer(body) ? body : JSON.stringify(body)
    // Browsers name the length; for an upload without it, Lectern reserves the space of the largest one.
    const length = { 'content-length': String(bytes.length) }
    const stream = open(method, path, { 'content-type': 'application/json', ...length, ...headers })
    stream.end(bytes)
    return receive(stream)
  }

  return { open, send, close: () => session.destroy() }
}

export async function receive(stream: ClientHttp2Stream): Promise<Answer> {
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders]
  const body = await buffer(stream)
  return { status: Number(headers[':status']), headers, body, json: () => JSON.parse(body.toString()) }
}

const local = '127.0.0.1'
const deploy = fileURLToPath(new URL('../../../deploy/', import.meta.url))

type Site = {
  httpPort: number
  /** Ports of Lectern's servers. */
  servers: number[]
}

/** Uses `deploy/nginx.conf` with another name, ports and certificate. The certificate is self-signed. */
export const siteNginx =
  ({ httpPort, servers }: Site): Define =>
  ({ folder, port }) => {
    const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
    const site = replaceAll(readFileSync(join(deploy, 'nginx.conf'), 'utf8'), {
      'listen 80;': `listen ${httpPort};`,
      'listen [::]:80;': '',
      'listen 443 ssl': `listen ${port} ssl`,
      'listen [::]:443 ssl http2;': '',
      '/etc/letsencrypt/live/notes.example.org/fullchain.pem': `"${certificate}"`,
      '/etc/letsencrypt/live/notes.example.org/privkey.pem': `"${key}"`,
      'server_name notes.example.org;': 'server_name localhost;',
      'server 127.0.0.1:3000 ': servers.map((port) => `server ${local}:${port} `).join('max_fails=1 fail_timeout=1s; '),
    })
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const temporary = kinds.map((kind) => `${kind}_temp_path "${folder}/${kind}";`).join(' ')
    const user = process.getuid?.() === 0 ? 'user root;' : ''
    const main = `${user} daemon off; pid "${folder}/pid"; error_log stderr; events { worker_connections 4096; }`
    return {
      command: 'nginx',
      args: ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'],
      files: { 'nginx.conf': `${main}\nhttp { access_log off; ${temporary}\n${site}\n}\n` },
      setUp: [
        ...['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject],
        ...['-keyout', key, '-out', certificate],
      ],
      isReady: () => canConnectByTls(port),
    }
  }

/** Uses the unchanged `deploy/Caddyfile` with other ports and a certificate of a test authority. */
export const siteCaddy =
  ({ httpPort, servers }: Site): Define =>
  ({ folder, port }) => {
    const options = `admin off\nskip_install_trust\nhttp_port ${httpPort}\nhttps_port ${port}`
    return {
      command: 'caddy',
      args: ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
      env: {
        HOME: folder,
        LECTERN_SITE: 'localhost',
        LECTERN_SERVERS: servers.map((server) => `${local}:${server}`).join(' '),
      },
      files: { Caddyfile: `{\n${options}\nstorage file_system "${folder}/storage"\n}\nimport "${deploy}Caddyfile"\n` },
      isReady: () => canConnectByTls(port),
    }
  }

/** Reads the certificate authority of a site, for clients. */
export const readAuthority = ({ folder }: Daemon): Promise<string> =>
  readFile(join(folder, 'certificate.pem'), 'utf8').catch(() =>
    readFile(join(folder, 'storage', 'pki', 'authorities', 'local', 'root.crt'), 'utf8'),
  )

/** @throws if a text is missing, because the file has changed. */
function replaceAll(text: string, replacements: Record<string, string>): string {
  return Object.entries(replacements).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`deploy/nginx.conf does not contain ${from}`)
    return result.replaceAll(from, to)
  }, text)
}

async function canConnectByTls(port: number): Promise<boolean> {
  const socket = connectTls({ host: local, port, servername: 'localhost', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  socket.destroy()
  return true
}
