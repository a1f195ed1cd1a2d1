import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../server/free-port.ts'
import { type Daemon, type Daemons, until } from '../debian/daemons.ts'

const main = fileURLToPath(new URL('../../server/main.ts', import.meta.url))
const local = '127.0.0.1'

export type Server = {
  name: string
  url: string
  isRunning(): boolean
  /** Lists that it has read, since it was started. */
  countLists(from: 'primary' | 'replica'): Promise<number>
  start(): Promise<void>
  /** Stands still, until it is to go on or ends. */
  hold(): void
  goOn(): void
  /** In order, or at once. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** A process of Lectern, on a folder of its own. */
export async function prepareServer(
  daemons: Daemons,
  name: string,
  role: 'web' | 'worker',
  env: Record<string, string>,
): Promise<Server> {
  const [port, metricsPort, dataDir] = [
    await findFreePort(local),
    await findFreePort(local),
    join(daemons.folder, name),
  ]
  await mkdir(dataDir)
  const own = {
    ...process.env,
    ...env,
    ROLE: role,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    DATA_DIR: dataDir,
  }
  const url = `http://${local}:${port}`
  let daemon: Daemon | null = null
  return {
    name,
    url,
    isRunning: () => daemon?.isRunning() ?? false,
    async countLists(from) {
      const told = await (await fetch(`http://${local}:${metricsPort}/metrics`)).text()
      return Number(new RegExp(`^lectern_list_reads_total{from="${from}"} (\\d+)`, 'm').exec(told)?.[1] ?? 0)
    },
    async start() {
      daemon = daemons.start(name, process.execPath, [main], { env: own })
      await until(`${name} is ready`, async () => (await fetch(`${url}/readyz`)).ok)
    },
    hold: () => daemon?.process.kill('SIGSTOP'),
    goOn: () => daemon?.process.kill('SIGCONT'),
    async end(signal) {
      await daemon?.end(signal)
    },
  }
}

/** The link in the newest mail to an address, whichever worker sent it. */
export const readMailedLink = (daemons: Daemons, to: string): Promise<string> =>
  until(`A mail comes to ${to}`, async () => {
    for (const mail of await listMails(daemons)) {
      if (mail.includes(`To: ${to}`)) return /^X-Lectern-Link:\s+(\S+)/m.exec(mail)?.[1]
    }
  })

async function listMails(daemons: Daemons): Promise<string[]> {
  const folders = ['worker-1', 'worker-2'].map((name) => join(daemons.folder, name, 'outbox'))
  const mails: string[] = []
  for (const folder of folders) {
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
    for (const name of names) mails.push(await readFile(join(folder, name), 'utf8'))
  }
  return mails
}

export type Front = {
  url: string
  /** Where it leads to the server of a test, whose port the request names. */
  suitePort: number
  /** Sends requests to these alone from now on; what is under way at others goes on. */
  lead(to: Server[]): Promise<void>
}

/** nginx, which tries the other server where one does not take a connection. @param port where it listens. */
export async function startFront(daemons: Daemons, port: number, servers: Server[]): Promise<Front> {
  const [conf, upstream] = [join(daemons.folder, 'nginx.conf'), join(daemons.folder, 'upstream.conf')]
  const suitePort = await findFreePort(local)
  const write = (to: Server[]) =>
    writeFile(
      upstream,
      servers
        .map(
          (server) =>
            `server ${new URL(server.url).host} ${to.includes(server) ? 'max_fails=1 fail_timeout=1s' : 'down'};`,
        )
        .join('\n'),
    )
  await write(servers)
  await writeFile(
    conf,
    `daemon off;
pid ${join(daemons.folder, 'nginx.pid')};
error_log stderr;
events { worker_connections 4096; }
http {
  access_log off;
  client_max_body_size 0;
  # A test sends a header of 8 kB.
  large_client_header_buffers 4 64k;
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_set_header Host $http_host;
  proxy_request_buffering off;
  proxy_read_timeout 600s;
  keepalive_timeout 0;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${join(daemons.folder, `nginx-${kind}`)};`).join('\n  ')}
  upstream lectern {
    include ${upstream};
    keepalive 32;
  }
  server {
    listen ${local}:${port};
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Forwarded-Proto $scheme;
    location / {
      proxy_pass http://lectern;
    }
  }
  server {
    listen ${local}:${suitePort};
    location / {
      proxy_pass http://${local}:$http_x_lectern_port;
    }
  }
}
`,
  )
  const daemon = daemons.start('nginx', 'nginx', ['-c', conf])
  const url = `http://${local}:${port}`
  await until('nginx leads to Lectern', async () => (await fetch(`${url}/readyz`)).ok)
  const workers = async () => {
    const pid = daemon.process.pid
    return (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')
  }
  return {
    url,
    suitePort,
    async lead(to) {
      await write(to)
      const before = await workers()
      daemon.process.kill('SIGHUP')
      await until('nginx has read its configuration', async () =>
        (await workers()).some((pid) => !before.includes(pid)),
      )
    },
  }
}
