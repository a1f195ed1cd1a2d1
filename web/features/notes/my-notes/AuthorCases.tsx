import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { answerModeratorQuestion, submitObjection } from '../../../../packages/contract/moderation.endpoints.ts'
import type { OwnModerationCase } from '../../../../packages/contract/moderation.ts'
import { ruleNames } from '../../../../packages/contract/moderation-rules.ts'
import { api } from '../../../platform/api/client.ts'
import { ErrorState } from '../../../platform/ui/EmptyState.tsx'
import { showSuccess } from '../../../platform/ui/toast.ts'
import { MessageButton } from '../../moderation/MessageButton.tsx'
import { formatDay } from '../format.ts'
import './author-cases.css'
import { Sheet, Stack, Text } from '../../../platform/ui/layout.tsx'
import { authorCasesQuery } from '../cache/user-lists.ts'

/** Shows the moderators' questions and the decisions the author can still object to; nothing if there are none. */
export function AuthorCases() {
  const query = useQuery(authorCasesQuery)
  const waiting = query.data?.filter(waitsForAuthor) ?? []
  if (waiting.length === 0 && !query.isLoadingError) return null
  return (
    <Sheet as="section" top={1.5} aria-labelledby="author-cases" className="author-cases">
      <h2 id="author-cases">Messages from moderators</h2>
      {query.isLoadingError ? (
        <ErrorState title="There was an error fetching messages from the moderators." query={query} />
      ) : (
        <Cases cases={waiting} />
      )}
    </Sheet>
  )
}

/** Shows answered and closed cases below the notes, collapsed. */
export function ClosedCases() {
  const { data = [] } = useQuery(authorCasesQuery)
  const closed = data.filter((authorCase) => !waitsForAuthor(authorCase))
  if (closed.length === 0) return null
  return (
    <details className="sheet sheet-padded author-cases-closed">
      <summary>Earlier messages ({closed.length})</summary>
      <Cases cases={closed} />
    </details>
  )
}

const Cases = ({ cases }: { cases: OwnModerationCase[] }) => (
  <ul className="rows">
    {cases.map((authorCase) => (
      <AuthorCase key={authorCase.note._id} authorCase={authorCase} />
    ))}
  </ul>
)

const openQuestion = ({ questions }: OwnModerationCase) => questions.find(({ answer }) => answer === undefined)
const waitsForAuthor = (authorCase: OwnModerationCase) => authorCase.mayObject || openQuestion(authorCase) !== undefined

const hint = 'If the note is anonymous, don’t include your name.'

function AuthorCase({ authorCase }: { authorCase: OwnModerationCase }) {
  const { note, questions, objection, mayObject, isObjectionDecided } = authorCase
  const { hidden } = note
  const open = openQuestion(authorCase)
  return (
    <Stack as="li" gap={0.375} align="flex-start" maxWidth={48}>
      <Text as="h3" size="large" isSerif dir="auto">
        {note.title}
      </Text>
      {hidden && (
        <>
          <p>
            Hidden on {formatDay(hidden.at)} ({ruleNames[hidden.rule]}). Only you and the moderators can see it.
          </p>
          <blockquote dir="auto" className="quote">
            {hidden.reason}
          </blockquote>
        </>
      )}
      {questions.map(({ id, text, answer }) => (
        <Fragment key={id}>
          <p>The moderators asked:</p>
          <blockquote dir="auto" className="quote">
            {text}
          </blockquote>
          {answer && <Text tone="soft">You answered on {formatDay(answer.at)}. Waiting for a decision.</Text>}
        </Fragment>
      ))}
      {objection && (
        <Text tone="soft">
          You appealed on {formatDay(objection.at)}.{' '}
          {isObjectionDecided ? 'The moderators kept the note hidden.' : 'Waiting for a decision.'}
        </Text>
      )}
      {open && (
        <MessageButton
          {...{ note, hint }}
          size="small"
          text="Answer"
          title="Answer the moderators"
          description={note.title}
          label="Answer"
          action="Send answer"
          send={async (text) => {
            await api.call(answerModeratorQuestion, { params: { id: note._id }, body: { text, questionId: open.id } })
            showSuccess('Answer sent.')
          }}
        />
      )}
      {mayObject && (
        <MessageButton
          {...{ note, hint }}
          size="small"
          text="Appeal"
          title="Appeal this decision"
          description="The moderators will review their decision. You can appeal once."
          label="Why should it be restored?"
          action="Send appeal"
          send={async (text) => {
            await api.call(submitObjection, { params: { id: note._id }, body: { text } })
            showSuccess('Appeal sent.')
          }}
        />
      )}
    </Stack>
  )
}
