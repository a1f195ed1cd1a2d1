import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../server/free-port.ts'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const startMs = 60_000

export type Ports = { http: number; https: number }
export type RunningProxy = {
  /** What its certificate is proved by. */
  ca: string
  /** Where it keeps what it has made. */
  folder: string
  stop(): Promise<void>
}

export const findPorts = async (): Promise<Ports> => ({
  http: await findFreePort('127.0.0.1'),
  https: await findFreePort('127.0.0.1'),
})

/** With `deploy/Caddyfile` as it is, on other ports, and a certificate of its own authority. */
export async function startCaddy(ports: Ports, servers: number[]): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-caddy-'))
  const config = join(folder, 'Caddyfile')
  const options = [`http_port ${ports.http}`, `https_port ${ports.https}`, `storage file_system "${folder}/storage"`]
  const text = ['{', 'admin off', 'skip_install_trust', ...options, '}', `import "${deploy}Caddyfile"`, '']
  await writeFile(config, text.join('\n'))
  const args = ['run', '--adapter', 'caddyfile', '--config', config]
  const LECTERN_SERVERS = servers.map((port) => `127.0.0.1:${port}`).join(' ')
  const env = { ...process.env, HOME: folder, LECTERN_SITE: 'localhost', LECTERN_SERVERS }
  const stop = start(folder, 'caddy', args, env)
  try {
    await untilAnswering(ports.https, folder)
    const authority = join(folder, 'storage', 'pki', 'authorities', 'local', 'root.crt')
    return { ca: await readFile(authority, 'utf8'), folder, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** With `deploy/nginx.conf`, but for its name, ports and certificate, which is one that Caddy makes. */
export async function startNginx(ports: Ports, servers: number[]): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-nginx-'))
  const { ca } = await makeCertificate(folder)
  const site = replaceAll(await readFile(join(deploy, 'nginx.conf'), 'utf8'), {
    'listen 80;': `listen ${ports.http};`,
    'listen [::]:80;': '',
    'listen 443 ssl': `listen ${ports.https} ssl`,
    'listen [::]:443 ssl http2;': '',
    '/etc/letsencrypt/live/notes.example.org/fullchain.pem': `"${folder}/localhost.crt"`,
    '/etc/letsencrypt/live/notes.example.org/privkey.pem': `"${folder}/localhost.key"`,
    'server_name notes.example.org;': 'server_name localhost;',
    'server 127.0.0.1:3000;': servers.map((port) => `server 127.0.0.1:${port};`).join(' '),
  })
  await writeFile(join(folder, 'lectern.conf'), site)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path "${folder}/${kind}";`,
  )
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const http = `http { access_log off; ${paths.join(' ')} include "${folder}/lectern.conf"; }`
  await writeFile(
    join(folder, 'nginx.conf'),
    `${user} daemon off; pid "${folder}/pid"; error_log stderr; events {} ${http}\n`,
  )
  const stop = start(folder, 'nginx', ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'])
  try {
    await untilAnswering(ports.https, folder)
    return { ca, folder, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** `localhost.crt` and `localhost.key`, into a folder. */
async function makeCertificate(folder: string): Promise<{ ca: string }> {
  const caddy = await startCaddy(await findPorts(), [1])
  try {
    const made = join(caddy.folder, 'storage', 'certificates', 'local', 'localhost')
    for (const name of ['localhost.crt', 'localhost.key']) {
      await writeFile(join(folder, name), await readFile(join(made, name)), { mode: 0o600 })
    }
    return { ca: caddy.ca }
  } finally {
    await caddy.stop()
  }
}

/** @throws where one of them is not there: the file has changed. */
function replaceAll(text: string, replacements: Record<string, string>): string {
  return Object.entries(replacements).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`deploy/nginx.conf has no ${from}`)
    return result.replaceAll(from, to)
  }, text)
}

/** @returns what ends it and removes its folder. */
function start(folder: string, command: string, args: string[], env = process.env): () => Promise<void> {
  const output = openSync(join(folder, 'log'), 'w')
  const child: ChildProcess = spawn(command, args, { env, stdio: ['ignore', output, output] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  return async () => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
}

/** Until it has a certificate to show, whoever signed it. */
async function untilAnswering(port: number, folder: string): Promise<void> {
  for (const until = Date.now() + startMs; ; await setTimeout(50)) {
    const isOpen = await new Promise((resolve) => {
      const options = { host: '127.0.0.1', port, servername: 'localhost', rejectUnauthorized: false }
      const socket = connect(options, () => resolve(true)).on('error', () => resolve(false))
      socket.on('secureConnect', () => socket.destroy())
    })
    if (isOpen) return
    if (Date.now() > until) throw new Error(`Nothing answers:\n${readFileSync(join(folder, 'log'), 'utf8')}`)
  }
}
