import { Link } from 'react-router'
import { type Rule, ruleNames, rules } from '../../../packages/contract/moderation-rules.ts'
import * as paths from '../../platform/paths.ts'
import { isActiveUser, useSession } from '../../platform/session/store.ts'
import './guidelines-page.css'
import { Sheet, Stack, Text } from '../../platform/ui/layout.tsx'

const texts: Record<Rule, string> = {
  copyright:
    'Share what you wrote yourself, or what its author lets everybody share. No scanned books, no scripts of others.',
  personal_data:
    'No names, marks, addresses or faces of people who did not agree, yours included if you share anonymously.',
  exam: 'No exam that is yet to be sat, and none that its institute does not let out.',
  wrong_course:
    'Name the course, the year and the instructor that a note is really from. Moderators put right what is not.',
  offence: 'No advertising, no insults, no threats.',
  other: 'Whatever else harms somebody, or breaks the law.',
}

/** The rules for notes, and the consequences for a note that breaks one. */
export const Component = () => (
  <Stack gap={0} maxWidth={48} className="page">
    <h1 className="page-title">Guidelines</h1>
    <Sheet as="dl" top={1.5} className="rows">
      {rules.map((rule) => (
        <div key={rule}>
          <Text as="dt" isStrong>
            {ruleNames[rule]}
          </Text>
          <Text as="dd" tone="soft" top={0.125}>
            {texts[rule]}
          </Text>
        </div>
      ))}
    </Sheet>
    <Text as="h2" top={2}>
      Something breaks a rule?
    </Text>
    <Stack as="ol" gap={0.5} top={0.75} className="rules-page-steps">
      <li>Report the note from the reader’s menu. Nobody learns that it was you.</li>
      <li>
        A moderator reads it and decides: it stays, its course is put right, it is hidden, or its author is asked first.
      </li>
      <li>
        Its author is told why and may object once. An anonymous author stays anonymous, to the moderators as well.
      </li>
      <li>
        What was decided and why is for all members to read, in the <DecisionsLink />.
      </li>
    </Stack>
    <Text top={1.25}>
      It is your work, and you have no account?{' '}
      <Link to={paths.copyright()} className="link">
        Write to the moderators
      </Link>
      .
    </Text>
  </Stack>
)

/** Hidden from visitors and suspended users, who cannot read the page. */
function DecisionsLink() {
  const signedIn = useSession(isActiveUser)
  if (!signedIn) return 'log of decisions'
  return (
    <Link to={paths.decisions()} className="link">
      log of decisions
    </Link>
  )
}
