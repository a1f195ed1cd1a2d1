import { useQuery } from '@tanstack/react-query'
import { answerModerators, objectToHiding } from '../../../contract/moderation.endpoints.ts'
import type { OwnMatter } from '../../../contract/moderation.ts'
import { ruleNames } from '../../../contract/rules.ts'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { StatementButton } from '../../moderation/StatementButton.tsx'
import { showSuccess } from '../../ui/toast.ts'
import { formatDay } from '../format.ts'
import './own-matters.css'
import { ownMattersQuery } from './own-matters-query.ts'

/** What the moderators have to do with one's notes. Nothing where they have nothing to do with them. */
export function OwnMatters() {
  const { data = [] } = useQuery(ownMattersQuery)
  if (data.length === 0) return null
  return (
    <section aria-labelledby="own-matters" className="sheet own-matters">
      <h2 id="own-matters">From the moderators</h2>
      <ul>
        {data.map((matter) => (
          <OneMatter key={matter.note._id} matter={matter} />
        ))}
      </ul>
    </section>
  )
}

function OneMatter({ matter }: { matter: OwnMatter }) {
  const { note, question, answer, objection, mayObject, isObjectionDecided } = matter
  const { hidden } = note
  return (
    <li>
      <h3 dir="auto" className="own-matters-title">
        {note.title}
      </h3>
      {hidden && (
        <>
          <p>
            Hidden on {formatDay(hidden.at)}: {ruleNames[hidden.rule]}. Nobody but you and the moderators can find or
            open it.
          </p>
          <blockquote dir="auto">{hidden.reason}</blockquote>
        </>
      )}
      {question && (
        <>
          <p>The moderators ask:</p>
          <blockquote dir="auto">{question.text}</blockquote>
        </>
      )}
      {answer && <p className="own-matters-state">You answered on {formatDay(answer.at)}. They will decide.</p>}
      {objection && (
        <p className="own-matters-state">
          {isObjectionDecided
            ? `You objected on ${formatDay(objection.at)}. The moderators have read it, and the note stays hidden.`
            : `You objected on ${formatDay(objection.at)}. The moderators will decide again.`}
        </p>
      )}
      {question && !answer && <AnswerButton matter={matter} />}
      {mayObject && <ObjectButton matter={matter} />}
    </li>
  )
}

const askAgain = () => queryClient.invalidateQueries({ queryKey: ownMattersQuery.queryKey })

const AnswerButton = ({ matter: { note } }: { matter: OwnMatter }) => (
  <StatementButton
    size="small"
    text="Answer"
    note={note}
    title="Answer the moderators"
    description={note.title}
    label="Answer"
    hint="If you shared it anonymously, they do not know who you are: do not write your name."
    action="Send answer"
    send={async (text) => {
      await api.call(answerModerators, { params: { id: note._id }, body: { text } })
      showSuccess('The moderators have your answer.')
    }}
    onSettled={askAgain}
  />
)

const ObjectButton = ({ matter: { note } }: { matter: OwnMatter }) => (
  <StatementButton
    size="small"
    text="Object"
    note={note}
    title="Object"
    description="The moderators decide once more. You can object once."
    label="Why should it be shown?"
    hint="If you shared it anonymously, they do not know who you are: do not write your name."
    action="Send objection"
    send={async (text) => {
      await api.call(objectToHiding, { params: { id: note._id }, body: { text } })
      showSuccess('The moderators have your objection.')
    }}
    onSettled={askAgain}
  />
)
