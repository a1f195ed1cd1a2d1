import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { deflated, layOut } from '../../../../packages/pdfium/test/build-pdf.ts'
import { readConfig } from '../../../config.ts'
import { checkAntivirus, eicar } from '../../../operations/admin/doctor/checks.ts'
import { createUser, openTestApp, openTestAppOn } from '../../../testing/app.ts'
import { canary } from '../../../testing/canary.ts'
import { field, file, goodFields, upload, uploadNote } from '../../../testing/form.ts'
import { recordLog } from '../../../testing/log.ts'
import { createPdfWithText, pdfOfBytes } from '../../../testing/pdf-kinds.ts'
import { expectRefusal } from '../../../testing/refusal.ts'
import { type Define, openDaemons } from '../../../testing/services.ts'
import { countNotes, expectNoOrphanedFiles, expectNothingKept } from '../../../testing/storage-assertions.ts'
import { makeAnonymous } from '../../../testing/students.ts'
import { getClamdVersion } from './clamd.ts'

/** A harmless text that clamd detects with a custom signature, such as operators may add. */
const ownSignature = 'LECTERN-MARIGOLD-TEST-SIGNATURE'
const hex = (text: string) => Buffer.from(text).toString('hex')
const signatures = `Eicar-Test-Signature:0:0:${hex(eicar)}\nLectern.Test.Marigold:0:*:${hex(ownSignature)}\n`

/** The socket is `clamd.ctl` in the daemon's folder. */
const clamdService =
  (settings: Record<string, string>): Define =>
  ({ folder, port }) => {
    const places = { TCPSocket: port, TCPAddr: '127.0.0.1', LocalSocket: join(folder, 'clamd.ctl') }
    const all = { Foreground: 'yes', ...places, DatabaseDirectory: folder, TemporaryDirectory: folder, ...settings }
    const lines = Object.entries(all).map(([name, value]) => `${name} ${value}\n`)
    return {
      command: 'clamd',
      args: ['--config-file', join(folder, 'clamd.conf')],
      files: { 'clamd.conf': lines.join(''), 'test.ndb': signatures },
      isReady: () => getClamdVersion({ host: '127.0.0.1', port }),
    }
  }

const daemons = await openDaemons('clamav')
const clamd = await daemons.start('clamd', clamdService({ StreamMaxLength: '2M' }))
const { lines, log } = recordLog('info')
const refusing = await openTestApp({ CLAMAV_URL: `tcp://127.0.0.1:${clamd.port}` }, log)
const waitingEnv = { CLAMAV_URL: `unix:${join(clamd.folder, 'clamd.ctl')}`, CLAMAV_WHEN_UNAVAILABLE: 'wait' }
const waiting = await openTestAppOn(refusing, waitingEnv, log)
beforeEach(() => void lines.splice(0))
afterAll(() => daemons.stop())

const named = (...files: ReturnType<typeof file>[]) => [...goodFields, ...files]
const anonymous = (...files: ReturnType<typeof file>[]) => [...goodFields, field('isAnonymous', 'true'), ...files]
const saysThat = (text: string) => lines.some((line) => line.includes(text))

/** A valid PDF with an attached file, compressed as usual. Anonymised copies do not contain the attachment. */
function pdfWithAttachment(content: string): Buffer {
  return layOut([
    '<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a.txt) 4 0 R] >> >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
    '<< /Type /Filespec /F (a.txt) /EF << /F 5 0 R >> >>',
    deflated(content, '/Type /EmbeddedFile'),
  ])
}

describe.each([
  ['by a port', refusing],
  ['by a socket', waiting],
])('an upload that clamd looks at %s', (_, test) => {
  it('is shared where it finds nothing', async () => {
    const user = await createUser(test)
    const two = named(file(createPdfWithText('one')), file(createPdfWithText('two')))
    expect((await upload(test, user, two)).statusCode).toBe(201)
    await uploadNote(test, user, pdfWithAttachment('nothing'), { isAnonymous: true })
    expect(await countNotes(test, user.id)).toBe(3)
    await expectNoOrphanedFiles(test)
  })
  it.each([
    ['EICAR attached', pdfWithAttachment(eicar), 'Eicar-Test-Signature'],
    ['an own signature on a page', createPdfWithText(ownSignature), 'Lectern.Test.Marigold'],
  ])('is refused whole with %s, named and anonymous, and the log contains no name', async (_what, bad, signature) => {
    const user = await createUser(test, canary)
    for (const form of [named, anonymous]) {
      lines.splice(0)
      const answer = await upload(test, user, form(file(createPdfWithText('good')), file(bad, 'Zyzzx sets.pdf')))
      const text = '“Zyzzx sets” was rejected by the virus scanner.'
      expectRefusal(answer, 'upload_infected', text)
      await expectNothingKept(test, user.id)
      expect(saysThat(signature)).toBe(true)
      for (const trace of [user.id, user.email, canary.name, 'yzzx'])
        expect(lines.join('').toLowerCase()).not.toContain(trace.toLowerCase())
    }
    await test.deps.db.deleteFrom('users').where('id', '=', user.id).execute()
  })
  it('is refused where it is larger than clamd accepts, and the log names the settings', async () => {
    const user = await createUser(test)
    const text = '“week 1” can’t be fully scanned for viruses, so it was rejected.'
    expectRefusal(await upload(test, user, named(file(pdfOfBytes(3 * 2 ** 20)))), 'upload_unscannable', text)
    await expectNothingKept(test, user.id)
    expect([saysThat('StreamMaxLength'), saysThat('INSTREAM size limit exceeded')]).toEqual([true, true])
  })
})

it('a file that clamd reports as not fully scanned is refused, too', async () => {
  const strict = await daemons.start('clamd-strict', clamdService({ MaxFileSize: '1M', AlertExceedsMax: 'yes' }))
  const test = await openTestAppOn(refusing, { CLAMAV_URL: `tcp://127.0.0.1:${strict.port}` })
  const user = await createUser(test)
  const large = named(file(pdfOfBytes(2 * 2 ** 20)))
  const text = '“week 1” can’t be fully scanned for viruses, so it was rejected.'
  expectRefusal(await upload(test, user, large), 'upload_unscannable', text)
  await expectNothingKept(test, user.id)
  await strict.stop()
})

it('while clamd is away, uploads are refused or wait, as configured, and are looked at when it is back', async () => {
  const user = await createUser(refusing)
  await clamd.stop()
  expectRefusal(await upload(refusing, user, named(file())), 'scanner_away')
  const good = upload(waiting, user, named(file()))
  const bad = upload(waiting, user, named(file(createPdfWithText(ownSignature))))
  await expect.poll(() => lines.filter((line) => line.includes('An upload is waiting')).length).toBeGreaterThan(1)
  expect(await countNotes(waiting, user.id)).toBe(0)
  await clamd.start()
  expect((await good).statusCode).toBe(201)
  expect((await bad).json()).toMatchObject({ code: 'upload_infected' })
  await uploadNote(refusing, user)
  await expectNoOrphanedFiles(waiting)
})

it('while clamd is away, a note that was looked at is made anonymous all the same', async () => {
  const user = await createUser(refusing)
  const { _id } = await uploadNote(refusing, user)
  await clamd.stop()
  await makeAnonymous(refusing, user, _id)
  await clamd.start()
})

it('outcomes are counted', async () => {
  const { values } = await refusing.deps.telemetry.metrics.virusScans.get()
  const counted = values.filter(({ value }) => value > 0)
  const outcomes = new Set(counted.map(({ labels }) => labels.outcome))
  expect(outcomes).toEqual(new Set(['clean', 'infected', 'unscannable', 'failed']))
})

const finds = (mb: number) => `It detects the EICAR test file, in files of up to ${mb} MB`
it.each([
  [{}, 25, 'ok', finds(25)],
  [{ StreamMaxLength: '20M' }, 25, 'failure', /^A file of 25 MB is rejected: raise StreamMaxLength/],
  [{ MaxFileSize: '20M' }, 25, 'failure', /^A file of 25 MB isn’t scanned: raise .*AlertExceedsMax/],
  [{ MaxFileSize: '20M', AlertExceedsMax: 'yes' }, 25, 'failure', /^A file of 25 MB is rejected/],
  [{ MaxFileSize: '20M', StreamMaxLength: '20M' }, 20, 'ok', finds(20)],
])('lectern admin doctor with %j for files of %i MB finds it %s', async (settings, maxFileMb, kind, text) => {
  const own = await daemons.start('clamd-own', clamdService(settings))
  const { clamav } = readConfig({ CLAMAV_URL: `tcp://127.0.0.1:${own.port}` })
  const found = await checkAntivirus({ clamav, maxFileMb })
  await own.stop()
  expect(found[0]).toEqual({ kind: 'ok', text: expect.stringMatching(/^clamd is running: ClamAV \d+\.\d+/) })
  // The signatures of the test have no date.
  expect(found[1]).toMatchObject({ kind: 'warning', text: expect.stringContaining('Check freshclam') })
  expect(found[2]).toEqual({ kind, text: expect.stringMatching(text) })
})
