import { type Rule, ruleNames, rules } from '../../../packages/contract/moderation-rules.ts'
import * as paths from '../../platform/paths.ts'
import { isActiveUser, useSession } from '../../platform/session/store.ts'
import { TextLink } from '../../platform/ui/Button.tsx'
import './guidelines-page.css'
import { Sheet, Stack, Text } from '../../platform/ui/layout.tsx'

const texts: Record<Rule, string> = {
  copyright: 'Only upload what you wrote or have permission to share. No scanned books, no one else’s lecture notes.',
  personal_data:
    'No names, grades, addresses or photos of people without their consent. If you upload anonymously, that includes you.',
  exam: 'No upcoming exams, and no past exams that haven’t been released.',
  wrong_course: 'Use the correct course, year and instructor. Moderators may fix mistakes.',
  offence: 'No advertising, harassment or threats.',
  other: 'Nothing else that is harmful or illegal.',
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
      Report a problem
    </Text>
    <Stack as="ol" gap={0.5} top={0.75} className="guidelines-page-steps">
      <li>Open the note and choose Report from the menu. Nobody will see that it was you.</li>
      <li>A moderator reviews it and keeps, corrects or hides the note, or asks the author a question first.</li>
      <li>The author sees the reason and can appeal once. Anonymous authors stay anonymous, even to moderators.</li>
      <li>
        Decisions and their reasons are published in the <DecisionsLink />.
      </li>
    </Stack>
    <Text top={1.25}>
      Your work, but no account? <TextLink to={paths.copyright()}>Submit a copyright claim</TextLink>.
    </Text>
  </Stack>
)

/** Hidden from visitors and suspended users, who cannot read the page. */
function DecisionsLink() {
  const signedIn = useSession(isActiveUser)
  if (!signedIn) return 'moderation log'
  return <TextLink to={paths.decisions()}>moderation log</TextLink>
}
