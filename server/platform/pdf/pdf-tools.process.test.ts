import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { buildPdf } from '../../../packages/pdfium/test/build-pdf.ts'
import {
  brokenFiles,
  makeBomb,
  makeEncryptedFile,
  makeEndlessFile,
  makeExplodingFile,
  makePointingFile,
  makeTrickyFiles,
} from '../../../packages/pdfium/test/hostile-files.ts'
import { makeTestFolder } from '../../testing/data-folder.ts'
import { pdfOfBytes } from '../../testing/pdf-kinds.ts'
import { startTcpServer } from '../../testing/smtp-server.ts'
import { StorageUnavailableError } from '../storage/storage.ts'
import type { Task } from './messages.ts'
import { startPdfProcess } from './pdf-process.ts'
import { createPdfTools, type PdfTools, type PdfToolsOptions } from './pdf-tools.ts'

const good = buildPdf()
const ok = { kind: 'ok', pageCount: 1 }
const unreadable = { kind: 'unreadable' }
const tooCostly = { kind: 'too-costly' }
const folder = await makeTestFolder()
const noSignal = new AbortController().signal
/** A full disk needs a mounted volume: permissions do not stop root, and only root may mount one. */
const canMount = process.getuid?.() === 0 && (await tryMount())

async function tryMount(): Promise<boolean> {
  const run = promisify(execFile)
  const mounted = run('mount', ['-t', 'tmpfs', 'tmpfs', folder]).then(() => run('umount', [folder]))
  return mounted.then(
    () => true,
    () => false,
  )
}

/** Writes these bytes to a new file. */
async function onDisk(bytes: Uint8Array): Promise<string> {
  const path = join(folder, randomUUID())
  await writeFile(path, bytes)
  return path
}

const opened: PdfTools[] = []
function open(options: Partial<PdfToolsOptions> = {}) {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
  const tools = createPdfTools({ log, folder, maxProcesses: 1, ...options })
  opened.push(tools)
  return {
    tools,
    lines,
    async inspect(bytes: Uint8Array, { owner = 'ada', signal = noSignal } = {}) {
      const path = await onDisk(bytes)
      return tools.runForOwner(owner, signal, (turn) => turn.inspect(path))
    },
    async anonymise(bytes: Uint8Array) {
      const path = await onDisk(bytes)
      const copy = await tools.runForOwner('ada', noSignal, (turn) => turn.anonymise(path, `${path}.copy`, []))
      return copy && 'kind' in copy ? copy.kind : copy && readFile(`${path}.copy`)
    },
  }
}
afterEach(() => Promise.all(opened.splice(0).map((tools) => tools.close())))

it.runIf(canMount)('PDF tools blame a disk that is full or read-only, and never the file', async () => {
  const { tools } = open()
  const [path, disk] = [await onDisk(good), join(folder, 'disk')]
  await mkdir(disk)
  await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', disk])
  try {
    await writeFile(join(disk, 'ballast'), Buffer.alloc(4096))
    const copyThere = () => tools.runForOwner('ada', noSignal, (turn) => turn.anonymise(path, join(disk, 'copy'), []))
    await expect(copyThere()).rejects.toThrow(StorageUnavailableError)
    expect(await readdir(disk)).toEqual(['ballast'])
    await promisify(execFile)('mount', ['-o', 'remount,ro', disk])
    await expect(copyThere()).rejects.toThrow(StorageUnavailableError)
    const targets = { small: join(disk, 'small'), large: join(disk, 'large') }
    const drawn = tools.runInBackground(noSignal, (turn) => turn.renderThumbnail(path, targets))
    await expect(drawn).rejects.toThrow(StorageUnavailableError)
  } finally {
    await promisify(execFile)('umount', [disk])
  }
})

it('PDF tools inspect and anonymise in a process, and leave the file they are given alone', async () => {
  const { tools, lines } = open()
  const path = await onDisk(good)
  await tools.runForOwner('ada', noSignal, async (turn) => {
    expect(await turn.inspect(path)).toEqual(ok)
    const copy = await turn.anonymise(path, `${path}.copy`, [])
    expect(await turn.inspect(`${path}.copy`)).toEqual(ok)
    const bytes = await readFile(`${path}.copy`)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(copy).toEqual({ bytes: bytes.length, sha256, drawnPages: [], droppedLinks: 0 })
  })
  expect((await readFile(path)).equals(good)).toBe(true)
  expect(lines).toEqual([])
})

it('PDF tools answer for every broken file without losing a process', async () => {
  const { inspect, anonymise, lines } = open()
  for (const file of Object.values(brokenFiles)) {
    expect(await inspect(file)).toEqual(unreadable)
    expect(await anonymise(file)).toBeNull()
  }
  expect(await inspect(await makeEncryptedFile('secret'))).toEqual({ kind: 'locked' })
  expect(await anonymise(await makeEncryptedFile('secret'))).toBeNull()
  expect(lines).toEqual([])
})

it.each(Object.entries(makeTrickyFiles()))('PDF tools are done soon with %s', async (_what, file) => {
  const { inspect, anonymise } = open()
  expect(['ok', 'unreadable']).toContain((await inspect(file)).kind)
  const copy = await anonymise(file)
  if (copy instanceof Buffer) expect((await inspect(copy)).kind).toBe('ok')
  expect(await inspect(good)).toEqual(ok)
})

it('PDF tools end a process that does not come to an end, and go on with another', async () => {
  const { inspect, anonymise, lines } = open({ timeoutsMs: { inspect: 2_000, anonymise: 2_000 } })
  expect(await inspect(makeEndlessFile())).toEqual(tooCostly)
  expect(await anonymise(makeEndlessFile())).toBe('too-costly')
  expect(lines.map((line) => JSON.parse(line).reason)).toEqual(['timeout', 'timeout'])
  // A busy machine may reach the timeout even with this file.
  await expect.poll(() => inspect(good)).toEqual(ok)
})

it('PDF tools end what takes too much of the processor, however slowly the clock lets it', async () => {
  const { inspect, lines } = open({ maxCpuMs: 1_000, timeoutsMs: { inspect: 3_600_000 } })
  expect(await inspect(makeEndlessFile())).toEqual(tooCostly)
  expect(lines.map((line) => JSON.parse(line).reason)).toEqual(['timeout'])
})

it('PDF tools give up a file that wants more memory than there is for it', async () => {
  const { inspect, anonymise, lines } = open({ timeoutsMs: { inspect: 600_000, anonymise: 600_000 } })
  const bomb = await makeBomb(400)
  for (const file of [bomb, makeExplodingFile()]) {
    expect(['too-costly', 'unreadable']).toContain((await inspect(file)).kind)
    expect([null, 'too-costly']).toContain(await anonymise(file))
  }
  // The process limits its memory, PDFium has its own heap, and so has the thread.
  const reasons = ['memory', 'RuntimeError', 'RangeError', 'ERR_WORKER_OUT_OF_MEMORY']
  expect(lines).not.toEqual([])
  for (const line of lines) expect(reasons).toContain(JSON.parse(line).reason)
  expect(await inspect(good)).toEqual(ok)
})

// The process is stopped first, so that it cannot finish before it is killed.
it.skipIf(process.platform === 'win32')('PDF tools read a file again whose process was killed', async () => {
  const { inspect, lines } = open()
  expect(await inspect(good)).toEqual(ok)
  const { stdout } = await promisify(execFile)('pgrep', ['-f', '-P', String(process.pid), folder])
  const child = Number(stdout)
  process.kill(child, 'SIGSTOP')
  const answer = inspect(good)
  // The process usually has the file after this time; otherwise it is replaced before.
  for (let i = 0; i < 100; i++) await stat(folder)
  process.kill(child, 'SIGKILL')
  expect(await answer).toEqual(ok)
  expect(lines).toEqual([])
})

it('PDF tools take a file of 170 MB where files may have 200', async () => {
  const { inspect, anonymise } = open({
    maxFileBytes: 200 * 2 ** 20,
    timeoutsMs: { inspect: 600_000, anonymise: 600_000 },
  })
  const large = pdfOfBytes(170 * 2 ** 20)
  expect(await inspect(large)).toEqual(ok)
  expect(await anonymise(large)).toBeInstanceOf(Buffer)
})

it('PDF tools refuse a file over the limit without a look at it', async () => {
  const { inspect, anonymise } = open({ maxFileBytes: good.length - 1 })
  expect(await inspect(good)).toEqual(unreadable)
  expect(await anonymise(good)).toBeNull()
})

it('PDF tools end a process that takes too much memory, and go on with another', async () => {
  const settings = { folder, maxFileBytes: 2 ** 20, maxResidentBytes: 1 }
  await expect(startPdfProcess(settings)).rejects.toThrow('memory')
})

it('PDF tools can read and write in their folder alone, even where that is a link', async () => {
  const elsewhere = await makeTestFolder()
  const secret = join(elsewhere, 'secret')
  const link = join(elsewhere, 'link')
  await writeFile(secret, good)
  await symlink(folder, link, 'junction')
  const path = await onDisk(good)
  const denied = { kind: 'failed', reason: 'ERR_ACCESS_DENIED' }
  const repository = fileURLToPath(new URL('../../../README.md', import.meta.url))
  const settings = { maxFileBytes: 2 ** 20, maxResidentBytes: 2 ** 30 }
  for (const allowed of [folder, link]) {
    const process = await startPdfProcess({ folder: allowed, ...settings })
    const answerOf = (task: Task) => process.perform(task, noSignal)
    expect(await answerOf({ name: 'inspect', path: join(allowed, basename(path)) })).toEqual({
      kind: 'done',
      result: ok,
    })
    expect(await answerOf({ name: 'inspect', path: secret })).toEqual(denied)
    expect(await answerOf({ name: 'inspect', path: repository })).toEqual(denied)
    expect(await answerOf({ name: 'anonymise', path, target: join(elsewhere, 'copy'), names: [] })).toEqual(denied)
    await process.end()
  }
  expect((await readdir(elsewhere)).sort()).toEqual(['link', 'secret'])
})

it('PDF tools fetch nothing that a file points to (D5)', async () => {
  const reached: string[] = []
  const { port, close } = await startTcpServer((socket) => {
    reached.push('connected')
    socket.destroy()
  })
  const pointing = makePointingFile(`http://127.0.0.1:${port}/`)
  const { tools, inspect, anonymise } = open()
  expect(await inspect(pointing)).toEqual(ok)
  expect((await anonymise(pointing))?.toString('latin1')).not.toMatch(/Launch|SubmitForm|passwd|DOCTYPE/)
  const path = await onDisk(pointing)
  await tools.runInBackground(noSignal, async (turn) => {
    expect(await turn.readText(path, `${path}.text`)).toMatchObject({ kind: 'ok' })
    const targets = { small: `${path}.small`, large: `${path}.large` }
    expect(await turn.renderThumbnail(path, targets)).toMatchObject({ kind: 'ok' })
  })
  expect(reached).toEqual([])
  // The flags of the processes block the network, even for a file that takes over its process.
  const connecting = `require('node:net').connect(${port}).on('error', ({ code }) => console.log(code))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--permission', '-e', connecting])
  expect(stdout.trim()).toBe('ERR_ACCESS_DENIED')
  expect(reached).toEqual([])
  await close()
})

it('PDF tools take their turn, and say busy when too many wait', async () => {
  const { inspect } = open({ maxWaiting: 2 })
  const answers = Array.from({ length: 5 }, (_, i) => inspect(good, { owner: `${i}` }).catch((error: unknown) => error))
  const refused = expect.objectContaining({ code: 'busy', retryAfterSeconds: 5 })
  expect((await Promise.all(answers)).filter((answer) => 'kind' in (answer as object))).toEqual([ok, ok, ok])
  expect(await Promise.all(answers)).toEqual(expect.arrayContaining([refused]))
  expect(await inspect(good)).toEqual(ok)
})

it('PDF tools go on with the files of others while those of four students do not end', async () => {
  const endless = { inspect: 3_600_000, anonymise: 3_600_000 }
  const { inspect } = open({ maxProcesses: 2, fastLaneMs: 3_000, timeoutsMs: endless })
  const attack = new AbortController()
  const ended: unknown[] = []
  const attacks = ['eve', 'mallory', 'oscar', 'trudy'].map((owner) =>
    inspect(makeEndlessFile(), { owner, signal: attack.signal }).catch((error: unknown) => ended.push(error)),
  )
  for (let i = 0; i < 6; i++) expect(await inspect(good)).toEqual(ok)
  expect(ended).toEqual([])
  attack.abort(new Error('gone'))
  await Promise.all(attacks)
})

it('PDF tools give a slow file all its time, and say so when that is too little', async () => {
  const { inspect, lines } = open({ fastLaneMs: 200, timeoutsMs: { inspect: 2_000 } })
  expect(await inspect(makeEndlessFile())).toEqual(tooCostly)
  expect(lines.map((line) => JSON.parse(line).reason)).toEqual(['timeout'])
  const hasty = open({ fastLaneMs: 1 })
  expect(await hasty.inspect(good)).toEqual(ok)
  expect(hasty.lines).toEqual([])
})

it('PDF tools close in the middle of work', async () => {
  const { tools, inspect } = open()
  const work = [inspect(makeEndlessFile()), inspect(good)].map((answer) => answer.catch(() => 'ended'))
  await tools.close()
  expect(await Promise.all(work)).toEqual(['ended', 'ended'])
  await expect(inspect(good)).rejects.toThrow()
})
