import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, readFileSync, statfsSync } from 'node:fs'
import { chmod, copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { findFreePort } from '../../server/free-port.ts'
import { startEmbeddedDatabase } from '../../server/postgres/embedded.ts'
import { type ReceivedMail, startSmtpServer } from '../../server/test/smtp-server.ts'
import type { Attempt } from '../caller.ts'
import { type Daemons, openDaemons } from '../debian/daemons.ts'
import { Book } from './book.ts'
import { prepareProcess, type ServerProcess } from './process.ts'
import { type Around, rest } from './student.ts'

export type Stage = Around & {
  dataDir: string
  databaseUrl: string
  /** What an operator's command is given. */
  env: Record<string, string>
  webs: ServerProcess[]
  worker: ServerProcess
  postgres: Postgres
  mail: Mail
  /** Null where nothing can be mounted: then nothing can be full or read-only for root. */
  disk: Disk | null
  /** How much there is. */
  describe(): Promise<{ notes: number; accounts: number }>
  /** What the processes have said, beside what is removed in the end. @returns where. */
  keepLogs(): Promise<string>
  end(): Promise<void>
}

type Postgres = {
  /** Every process of it at once. */
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void
}
type Mail = {
  setAway(isAway: boolean): Promise<void>
  /** Mails that came, and those of them that had come before. */
  count(): { came: number; twice: number }
}
type Disk = {
  fill(): void
  setReadOnly(isReadOnly: boolean): Promise<void>
  heal(): void
}

const mostMb = 2_000

/** One PostgreSQL, two web servers and a worker on one folder, and a mail server that keeps what it gets. */
export async function openStage(): Promise<Stage> {
  const daemons = await openDaemons('lectern-chaos-')
  const ends: (() => unknown)[] = [daemons.stop]
  const end = async () => {
    for (const one of ends.splice(0).toReversed()) await one()
  }
  try {
    await chmod(daemons.folder, 0o711)
    const dataDir = join(daemons.folder, 'data')
    await mkdir(dataDir)
    const disk = mountDisk(dataDir)
    if (disk) ends.push(() => void execFileSync('umount', ['--lazy', dataDir]))
    const { url: databaseUrl, stop } = await openDatabase(daemons)
    ends.push(stop)
    const mail = await openMail()
    ends.push(mail.close)
    const env = {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      SMTP_URL: mail.url,
      MAIL_FROM: 'Lectern <lectern@localhost>',
      SECRET: randomBytes(32).toString('hex'),
      PUBLIC_URL: 'http://localhost:3000',
      RATE_LIMIT: 'off',
      RECOGNITION: 'off',
      LOG_LEVEL: 'warn',
      NODE_ENV: 'test',
      // Starts are most of what the machine does.
      NODE_COMPILE_CACHE: join(daemons.folder, 'compiled'),
    }
    const faults: string[] = []
    const prepare = (name: string, role: string) => prepareProcess(daemons, name, { ...env, ROLE: role }, faults)
    const webs = [await prepare('web-1', 'web'), await prepare('web-2', 'web')]
    const worker = await prepare('worker', 'worker')
    ends.push(() => Promise.all([...webs, worker].map((server) => server.end())))
    await Promise.all([...webs, worker].map((server) => server.start()))
    if (faults.length > 0) throw new Error(faults.join('\n'))
    const attempts: Attempt[] = []
    return {
      book: new Book(),
      attempts,
      faults,
      ids: new Map(),
      mailedToken: mail.tokenTo,
      async origin() {
        for (;;) {
          const ready = webs.filter((web) => web.isReady())
          const one = ready[Math.floor(Math.random() * ready.length)]
          if (one) return one.url
          await rest(50)
        }
      },
      describe: () => describe(databaseUrl),
      keepLogs: () => keepLogs(daemons.folder),
      ...{ dataDir, databaseUrl, env, webs, worker, mail, disk, end },
      postgres: { signal: (signal) => signalPostgres(join(daemons.folder, 'database'), signal) },
    }
  } catch (error) {
    await end()
    throw error
  }
}

async function keepLogs(folder: string): Promise<string> {
  const kept = `${folder}-logs`
  await mkdir(kept)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log'))
  for (const name of names) await copyFile(join(folder, name), join(kept, name))
  return kept
}

async function describe(databaseUrl: string): Promise<{ notes: number; accounts: number }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const text = 'SELECT (SELECT count(*)::int FROM notes) AS notes, (SELECT count(*)::int FROM users) AS accounts'
  const { rows } = await client.query<{ notes: number; accounts: number }>(text).finally(() => client.end())
  return rows[0] ?? { notes: 0, accounts: 0 }
}

/** Lectern's own embedded PostgreSQL, which starts itself again when it is killed. */
function openDatabase({ folder }: Daemons) {
  const note = (line: unknown, text?: string) =>
    appendFileSync(join(folder, 'postgres.log'), `${text ?? String(line)}\n`)
  const log = { info: note, warn: note, error: note }
  return startEmbeddedDatabase({ dataDir: join(folder, 'database'), password: randomBytes(16).toString('hex'), log })
}

function signalPostgres(dataDir: string, signal: NodeJS.Signals): void {
  try {
    const [pid = ''] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
    for (const one of [pid, ...children]) sendSignal(Number(one), signal)
  } catch {
    // It is starting, and killed the next time.
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

async function openMail() {
  const port = await findFreePort('127.0.0.1')
  let server: Awaited<ReturnType<typeof startSmtpServer>> | null = await startSmtpServer({}, port)
  const kept: ReceivedMail[] = []
  const all = () => [...kept, ...(server?.received ?? [])]
  const close = async () => {
    kept.push(...(server?.received ?? []))
    const closing = server?.close()
    server = null
    await closing
  }
  return {
    url: `smtp://127.0.0.1:${port}`,
    close,
    tokenTo(email: string): string | null {
      for (const { recipients, content } of all().toReversed()) {
        // Lines of quoted-printable text are broken, and its equals signs written out.
        const text = recipients[0] === email ? content.replaceAll('=\r\n', '').replaceAll('=3D', '=') : ''
        const token = /\/verify\?token=([\w-]{43})/.exec(text)?.[1]
        if (token) return token
      }
      return null
    },
    async setAway(isAway: boolean) {
      if (isAway) await close()
      else server = await startSmtpServer({}, port)
    },
    count() {
      const names = all().map(({ content }) => /^Message-ID: (\S+)/im.exec(content)?.[1])
      return { came: names.length, twice: names.length - new Set(names).size }
    },
  }
}

/** A file system of its own for the folder: rights and quotas do not stop root. */
function mountDisk(folder: string): Disk | null {
  const mount = (...options: string[]) => void execFileSync('mount', [...options, folder], { stdio: 'ignore' })
  try {
    mount('-t', 'tmpfs', '-o', `size=${mostMb}m,mode=711`, 'tmpfs')
  } catch {
    return null
  }
  return {
    fill() {
      // What is written meanwhile makes the size too small, which is refused.
      for (let tries = 0; ; tries++) {
        const { blocks, bfree, bsize } = statfsSync(folder)
        try {
          return mount('-o', `remount,size=${(blocks - bfree) * bsize}`)
        } catch (error) {
          if (tries === 500) throw error
        }
      }
    },
    async setReadOnly(isReadOnly) {
      // It stays writable as long as a file is open for writing.
      for (let tries = 0; ; tries++) {
        try {
          return mount('-o', `remount,${isReadOnly ? 'ro' : 'rw'}`)
        } catch (error) {
          if (tries === 500) throw error
          await rest(10 + 20 * Math.random())
        }
      }
    },
    heal: () => mount('-o', `remount,rw,size=${mostMb}m`),
  }
}
