import { Fragment } from 'react'
import { suspendNoteAuthor } from '../../../packages/contract/members.endpoints.ts'
import { askAuthor } from '../../../packages/contract/moderation.endpoints.ts'
import type { DecisionKind, ModerationCase, Question } from '../../../packages/contract/moderation.ts'
import { answerDays } from '../../../packages/contract/moderation-limits.ts'
import { ruleNames } from '../../../packages/contract/moderation-rules.ts'
import type { Note } from '../../../packages/contract/notes.ts'
import { api } from '../../platform/api/client.ts'
import * as paths from '../../platform/paths.ts'
import { useSession } from '../../platform/session/store.ts'
import { Button, ButtonLink } from '../../platform/ui/Button.tsx'
import { Row, Stack, Text } from '../../platform/ui/layout.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { useDialog } from '../../platform/ui/use-dialog.ts'
import { SuspensionDialog } from '../administration/SuspensionDialog.tsx'
import { hueStyle } from '../notes/card/course-hue.ts'
import { NoteThumbnail } from '../notes/card/NoteThumbnail.tsx'
import { countOf, formatMoment } from '../notes/format.ts'
import { factsOf } from '../notes/properties.ts'
import { DecideDialog } from './DecideDialog.tsx'
import { decisionTexts } from './decision-texts.ts'
import { MessageButton } from './MessageButton.tsx'
import './case-card.css'

export function CaseCard({ moderationCase, onDecided }: { moderationCase: ModerationCase; onDecided: () => void }) {
  const { note, reports, questions, objection } = moderationCase
  const [dialog, show] = useDialog<{ kind: DecisionKind }>()
  const isReported = reports.length > 0
  const openQuestion = questions.find(({ answer }) => answer === undefined)
  return (
    <article
      aria-labelledby={`matter-${note._id}`}
      className="sheet sheet-tight case-card"
      style={hueStyle(note.courseCode)}
    >
      <div className="case-card-picture">
        <NoteThumbnail note={note} />
      </div>
      <Stack>
        <CaseHeader note={note} />
        <Stack as="ul" gap={0.75}>
          {reports.map(({ rule, text, at, claimant }, index) => (
            <TimelineEntry
              key={index}
              who={
                claimant === undefined
                  ? `Reported: ${ruleNames[rule]}`
                  : `Copyright claim from ${claimant} (no account)`
              }
              at={at}
              text={text}
            />
          ))}
          {note.hidden && (
            <TimelineEntry
              who={`Hidden: ${ruleNames[note.hidden.rule]}`}
              at={note.hidden.at}
              text={note.hidden.reason}
            />
          )}
          {questions.map(({ id, text, at, answer }) => (
            <Fragment key={id}>
              <TimelineEntry who="Question to the author" {...{ text, at }} />
              {answer && <TimelineEntry who="Answer from the author" {...answer} />}
            </Fragment>
          ))}
          {objection && <TimelineEntry who="Appeal from the author" {...objection} />}
        </Stack>
        {openQuestion && <Text tone="soft">{describeWait(openQuestion)}</Text>}
        <Row>
          {kindsOf(moderationCase).map((kind) => (
            <Button
              key={kind}
              aria-label={`${decisionTexts[kind].action}: ${note.title}`}
              onClick={() => show({ kind })}
            >
              {decisionTexts[kind].action}
            </Button>
          ))}
          {note.hidden === undefined && isReported && !openQuestion && <AskButton note={note} />}
          {note.user === null && <SuspendAnonymousAuthorButton note={note} />}
          {dialog && (
            <DecideDialog
              {...{ note, onDecided }}
              {...dialog}
              rule={reports[0]?.rule ?? note.hidden?.rule ?? 'other'}
              shownReports={reports.length}
            />
          )}
        </Row>
      </Stack>
    </article>
  )
}

function kindsOf({ note, reports, objection, isObjectionDecided }: ModerationCase): DecisionKind[] {
  if (note.hidden) return objection && !isObjectionDecided ? ['restore', 'uphold'] : ['restore']
  return reports.length > 0 ? ['keep', 'correct', 'hide'] : ['hide']
}

const describeWait = ({ at }: Question) =>
  Date.now() < Date.parse(at) + answerDays * 24 * 60 * 60 * 1000
    ? 'Waiting for the author’s answer.'
    : `The author didn’t answer within ${answerDays} days.`

function CaseHeader({ note }: { note: Note }) {
  const { user, document } = note
  const facts = [
    ...factsOf(note).map(({ text }) => text),
    user === null ? 'anonymous' : user.name,
    document.pageCount !== null && countOf(document.pageCount, 'page'),
  ].filter(Boolean)
  return (
    <Row align="flex-start" justify="space-between" gap={[0.75, 1.5]} className="case-card-head">
      <div>
        <h3 id={`matter-${note._id}`} tabIndex={-1} dir="auto" className="text case-card-title">
          {note.title}
        </h3>
        <Text tone="soft" size="medium" top={0.125}>
          {facts.join(' · ')}
        </Text>
      </div>
      <ButtonLink variant="secondary" size="small" icon="book-open" to={paths.note(note._id)} target="_blank">
        Open note<span className="visually-hidden">: {note.title} (opens in a new tab)</span>
      </ButtonLink>
    </Row>
  )
}

const TimelineEntry = ({ who, at, text }: { who: string; at: string; text?: string | undefined }) => (
  <li className="quote">
    <Row as="p" gap={[0, 0.75]} size="medium" isStrong>
      {who}
      <Text as="time" dateTime={at} tone="faint" size="small" className="text-light">
        {formatMoment(at)}
      </Text>
    </Row>
    {text !== undefined && (
      <Text top={0.125} dir="auto">
        {text}
      </Text>
    )}
  </li>
)

const AskButton = ({ note }: { note: Note }) => (
  <MessageButton
    text="Ask the author"
    note={note}
    title="Ask the author"
    description="We’ll email them. Your name isn’t shown, and anonymous authors stay anonymous."
    label="Question"
    hint={`The note stays visible until you decide. The author has ${answerDays} days to answer.`}
    action="Send question"
    send={async (text) => {
      await api.call(askAuthor, { params: { id: note._id }, body: { text } })
      showSuccess('Question sent.')
    }}
  />
)

/** For admins only. They do not learn the author's identity. */
function SuspendAnonymousAuthorButton({ note }: { note: Note }) {
  const isAdmin = useSession((state) => state.user?.role === 'admin')
  const [dialog, show] = useDialog()
  if (!isAdmin) return null
  return (
    <>
      <Button aria-label={`Suspend author: ${note.title}`} onClick={() => show({})}>
        Suspend author
      </Button>
      {dialog && (
        <SuspensionDialog
          title={`Suspend the author of “${note.title}”`}
          description="The author is logged out everywhere and emailed the reason. You won’t see who they are. Their notes stay visible, so hide this one if it breaks the guidelines. You can lift the suspension on the Admin page."
          send={(body) => api.call(suspendNoteAuthor, { params: { id: note._id }, body })}
          done="Author suspended."
          {...dialog}
        />
      )}
    </>
  )
}
