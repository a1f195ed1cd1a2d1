import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'
import { promisify } from 'node:util'
import type { Seen } from './scenes.ts'

export type Row = Seen & { what: string }

const packages = ['postgresql-15', 'patroni', 'etcd-server', 'haproxy', 'pgbouncer', 'nginx-light', 'radosgw']

/** Lines on what it ran on. */
export async function describeMachine(): Promise<string[]> {
  const release = /^PRETTY_NAME="(.*)"/m.exec(await readFile('/etc/os-release', 'utf8'))?.[1]
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg's own placeholders
  const format = ['-W', '-f', '${Package} ${Version}\\n', ...packages]
  const { stdout } = await promisify(execFile)('dpkg-query', format).catch(({ stdout }) => ({ stdout }))
  return [
    `${release}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, load ${loadavg()[0]?.toFixed(1)} at the end; Node ${process.versions.node}`,
    stdout.trim().split('\n').join(', '),
  ]
}

export function writeReport(rows: Row[], machine: string[]): string {
  const row = ({ what, facts, faults }: Row) =>
    `| ${what} | ${faults.length === 0 ? 'as it should be' : '**not as it should be**'} | ${[...facts, ...faults].join(' ')} |`
  return `# Past one machine

Made by \`npm run test:cluster\` on ${new Date().toISOString().slice(0, 10)}: two web servers and two workers behind nginx, their database behind
PgBouncer, HAProxy and Patroni (two PostgreSQL, synchronous, over three etcd), lists from the one that follows, their files in a Ceph, all of
it on one machine. First the tests of what the API answers send their requests through the same nginx, each file of them to a Lectern of its own on
the same PostgreSQL, PgBouncer and Ceph.
A crowd shares, reads, likes and deletes notes meanwhile, and keeps a book of what was acknowledged.

${machine.map((line) => `- ${line}`).join('\n')}

| What happened | Outcome | Seen |
|---|---|---|
${rows.map(row).join('\n')}

What this does not show: machines of their own, a network that swallows silently instead of closing, and disks: PostgreSQL writes to the
disk of one machine, and Ceph to memory.
`
}
