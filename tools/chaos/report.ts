import type { Book } from './book.ts'
import type { Kills } from './kills.ts'
import type { Seen, Tally } from './seen.ts'

/** What became of it. */
export type Killed = {
  minutes: number
  students: number
  kills: Kills
  tally: Tally
  book: Book
  requests: Record<'acknowledged' | 'refused' | 'broken' | 'wrong', number>
  notes: number
  accounts: number
  mails: { came: number; twice: number }
  /** Sessions that were over because nobody answered a refresh in time. */
  outOfGrace: number
}

const number = (value: number) => value.toLocaleString('en')
/** So many of a kind are named. */
const mostNamed = 10

/** The report as Markdown. */
export function writeReport(killed: Killed | null, rows: Seen[], machine: string): string {
  const row = ({ what, facts, faults }: Seen) =>
    `| ${what} | ${faults.length === 0 ? 'as it should be' : '**not as it should be**'} | ${[...facts, ...faults].join(' ')} |`
  return `# Killed at random moments

Made by \`npm run chaos\` on ${new Date().toISOString().slice(0, 10)}: ${machine}.
${killed ? describeKills(killed) : ''}
## What else happened

| What | Outcome | Seen |
|---|---|---|
${rows.map(row).join('\n')}

What this does not show: a machine that loses its power (what a process has written, the system keeps), disks that lie, more than one
machine (\`npm run test:cluster\` has that), and files in an S3.
`
}

function describeKills({ kills, tally, book, requests, mails, ...run }: Killed): string {
  const { acknowledged, refused, broken, wrong } = requests
  const { counts } = book
  const named = (what: string, faults: string[]) =>
    faults.length === 0 ? [] : ['', `${what}:`, '', ...faults.slice(0, mostNamed).map((fault) => `- ${fault}`)]
  return `
## Kills

For ${run.minutes} minutes, while ${run.students} students and newcomers registered, verified, logged in and out, refreshed, shared by name and anonymously, edited,
deleted, liked, disliked, read, listed and changed their password.

| Killed with \`kill -9\` | Times |
|---|---|
| A web server | ${number(kills.server)} |
| The worker | ${number(kills.worker)} |
| PostgreSQL, all of its processes | ${number(kills.postgres)} |

${number(kills.duringStart)} of these hit a server or worker that was still starting.

| What was found | Times |
|---|---|
| Lost: acknowledged, and not so | ${number(tally.lost.length)} |
| Half | ${number(tally.half.length)} |
| Orphans | ${number(tally.orphans.length)} |
${[...named('Lost', tally.lost), ...named('Half', tally.half), ...named('Orphans', tally.orphans)].join('\n')}
- ${number(acknowledged + refused + broken + wrong)} requests: ${number(acknowledged)} acknowledged, ${number(refused)} answered 503, ${number(broken)} without an answer, ${number(wrong)} answered otherwise than they should be.
- ${number(counts.acknowledged)} changes were acknowledged. ${number(counts.unanswered)} were answered by nobody or 5xx, so that either was right; where it was seen later which it was, ${number(counts.foundDone)} had been made and ${number(counts.foundNotDone)} had not.
- ${number(run.notes)} notes and ${number(run.accounts)} accounts in the end. ${number(tally.comparisons)} comparisons of what was touched and ${number(tally.whole)} of everything; \`lectern admin verify\` ran ${number(kills.verified + 1)} times besides.
- ${number(mails.came)} mails came, ${number(mails.twice)} of them again, under the same Message-ID: a worker that is killed after it has handed a mail over, and before that is written down, hands it over again.
- ${number(run.outOfGrace)} sessions were over because the answer to a refresh was lost and nobody answered for ten seconds ([decision 8](decisions/0008-refresh-tokens-are-derived.md)).
`
}
