import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from '../../server/free-port.ts'
import { openDaemons, until } from './daemons.ts'
import { installPackages } from './install.ts'

export type Gateway = {
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
  /** Refuses everything that is new, as a store does that is full, or takes it again. */
  setFull(isFull: boolean): Promise<void>
  stop(): Promise<void>
}

/** Debian's packages, by a program of each. */
export const cephPackages = {
  'ceph-mon': 'ceph-mon',
  'ceph-mgr': 'ceph-mgr',
  'ceph-osd': 'ceph-osd',
  radosgw: 'radosgw',
  'ceph-authtool': 'ceph-common',
}
const startMs = 120_000

/** Installs what a gateway needs, where that is allowed. @throws where it is not, with what to do. */
export const installCeph = (): void =>
  installPackages(
    cephPackages,
    'Or name an S3 of yours by TEST_S3_ENDPOINT, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  )

/** A Ceph of one node, which keeps everything in memory, with its S3 gateway. */
export async function startGateway(): Promise<Gateway> {
  const daemons = await openDaemons('lectern-ceph-')
  const { folder, stop } = daemons
  const [monitorPort, port] = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')]
  const conf = join(folder, 'ceph.conf')
  const env = { ...process.env, CEPH_CONF: conf }
  const run = (command: string, ...args: string[]) => promisify(execFile)(command, args, { env, timeout: startMs })
  const start = (name: string, ...args: string[]) => daemons.start(name, name, ['-f', ...args], { env })

  try {
    for (const name of ['mon', 'osd', 'mgr', 'rgw', 'run', 'log']) await mkdir(join(folder, name))
    await writeFile(conf, configure(folder, monitorPort, port))
    const keyring = join(folder, 'keyring')
    await run('ceph-authtool', '--create-keyring', keyring, '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *')
    const all = ['mon', 'osd', 'mgr'].flatMap((what) => ['--cap', what, 'allow *'])
    for (const name of ['client.admin', 'client.rgw', 'mgr.x', 'osd.0']) {
      await run('ceph-authtool', keyring, '--gen-key', '-n', name, ...all)
    }
    const map = join(folder, 'monmap')
    await run('monmaptool', '--create', '--addv', 'a', `[v2:127.0.0.1:${monitorPort}]`, map)
    await run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring)
    start('ceph-mon', '-i', 'a')
    await run('ceph', 'auth', 'import', '-i', keyring)
    start('ceph-mgr', '-i', 'x')
    await run('ceph', 'osd', 'create')
    await run('ceph-osd', '-i', '0', '--mkfs')
    start('ceph-osd', '-i', '0')
    start('radosgw', '-n', 'client.rgw')
    const endpoint = `http://127.0.0.1:${port}`
    await until('The gateway answers', async () => (await fetch(endpoint)).ok)
    const keys = { accessKeyId: 'test', secretAccessKey: 'testtest' }
    const user = ['user', 'create', '--uid=test', '--display-name=test']
    const given = [`--access-key=${keys.accessKeyId}`, `--secret=${keys.secretAccessKey}`]
    await run('radosgw-admin', '-n', 'client.rgw', ...user, ...given)
    const quota = (...args: string[]) => run('radosgw-admin', '-n', 'client.rgw', 'quota', ...args, '--uid=test')
    return {
      endpoint,
      ...keys,
      async setFull(isFull) {
        await quota('set', '--quota-scope=user', '--max-objects=1')
        await quota(isFull ? 'enable' : 'disable', '--quota-scope=user')
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const configure = (folder: string, monitorPort: number, port: number) => `[global]
fsid=${randomUUID()}
mon host=[v2:127.0.0.1:${monitorPort}]
public addr=127.0.0.1
keyring=${folder}/keyring
osd pool default size=1
osd pool default min size=1
osd pool default pg num=4
osd pool default pgp num=4
osd crush chooseleaf type=0
mon allow pool size one=true
mon max pg per osd=1000
osd objectstore=memstore
memstore device bytes=4294967296
run dir=${folder}/run
log file=${folder}/log/$name.log
admin socket=${folder}/run/$name.$pid.asok
mon data=${folder}/mon
osd data=${folder}/osd
mgr data=${folder}/mgr
rgw data=${folder}/rgw
rgw user quota bucket sync interval=1
rgw bucket quota ttl=1
rgw frontends=beast endpoint=127.0.0.1:${port}
`
