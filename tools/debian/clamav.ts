import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { askVersion } from '../../server/antivirus/clamd.ts'
import { findFreePort } from '../../server/free-port.ts'
import { eicar } from '../admin/doctor/check-antivirus.ts'
import { type Daemons, until } from './daemons.ts'

export const clamavPackages = { clamd: 'clamav-daemon' }

/** Harmless, and found wherever it stands: a signature of our own, as an operator may add some. */
export const ownMark = 'LECTERN-MARIGOLD-TEST-SIGNATURE'

export type Clamd = { port: number; socket: string; start(): Promise<void>; stop(): Promise<void> }

/** Debian's clamd with two signatures, on a port and a socket that stay the same from one start to the next. */
export async function prepareClamd(daemons: Daemons, settings: Record<string, string> = {}): Promise<Clamd> {
  const port = await findFreePort('127.0.0.1')
  const folder = join(daemons.folder, `clamd-${port}`)
  const [socket, conf, database] = [join(folder, 'clamd.ctl'), join(folder, 'clamd.conf'), join(folder, 'signatures')]
  await mkdir(database, { recursive: true })
  const hex = (text: string) => Buffer.from(text).toString('hex')
  const signatures = [`Eicar-Test-Signature:0:0:${hex(eicar)}`, `Lectern.Test.Marigold:0:*:${hex(ownMark)}`]
  await writeFile(join(database, 'test.ndb'), `${signatures.join('\n')}\n`)
  const given = {
    Foreground: 'yes',
    TCPSocket: String(port),
    TCPAddr: '127.0.0.1',
    LocalSocket: socket,
    DatabaseDirectory: database,
    TemporaryDirectory: folder,
    ...settings,
  }
  const lines = Object.entries(given).map(([name, value]) => `${name} ${value}\n`)
  await writeFile(conf, lines.join(''))
  let stop = async () => {}
  return {
    port,
    socket,
    async start() {
      const { end } = daemons.start(`clamd-${port}`, 'clamd', ['--config-file', conf])
      stop = () => end()
      await until('clamd answers', () => askVersion({ host: '127.0.0.1', port }))
    },
    stop: () => stop(),
  }
}
