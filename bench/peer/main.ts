import { logInAll, measureRow } from '../compare-routes.ts'
import { prepareRows } from '../rows.ts'
import { prepareRun } from '../setting.ts'
import { askPeer, isList } from './ask.ts'
import { checkAnswers } from './check-answers.ts'
import { startPeer } from './directus.ts'
import { type PeerComparison, writePeerReport } from './report.ts'

/** `npm run bench:peer`: the server beside Directus, asked for the same rows and the same kinds of work by turns. */
const setting = await prepareRun('npm run bench:peer')
const { run, noteCount, only } = setting

try {
  const library = await setting.openLibrary()
  const peer = await startPeer(setting, library)
  const { server, idleBytes } = await setting.startServer(library)
  const { tokens } = await logInAll(server.origin)
  const listRows = await prepareRows(library, only)
  const theirs = listRows(peer.tokens).map(({ ours }) => askPeer(ours, { fileId: peer.fileId, pdf: library.pdf }))
  const rows = listRows(tokens).flatMap((row, index) => {
    const call = theirs[index]
    return call ? [{ row, calls: { ours: { ...row.ours, server }, peer: { ...call, server: peer.server } } }] : []
  })
  // Before anything is measured that uploads, which only Lectern lists at once.
  for (const { row, calls } of rows) if (isList(row.ours)) await checkAnswers(row.name, calls)

  const comparisons: PeerComparison[] = []
  for (const { row, calls } of rows) {
    const figures = await measureRow(setting, row, calls)
    const memory = { ours: server.readMemory(), peer: peer.server.readMemory() }
    comparisons.push({ name: row.name, connections: row.connections, ...figures, memory })
  }
  const idle = { ours: idleBytes, peer: peer.idleBytes }
  process.stdout.write(writePeerReport({ run, notes: noteCount, comparisons, idle }))
} finally {
  await setting.cleanUp()
}
