import { type Rule, ruleNames, rules } from '../../../packages/contract/moderation-rules.ts'
import * as paths from '../../platform/paths.ts'
import { isActiveUser, useSession } from '../../platform/session/store.ts'
import { TextLink } from '../../platform/ui/Button.tsx'
import { Sheet, Stack, Text } from '../../platform/ui/layout.tsx'
import './rules-pages.css'

/** A sheet with a list of names and what there is to say about each. */
const Facts = ({ facts }: { facts: [name: string, text: string][] }) => (
  <Sheet as="dl" top={1.5} className="rows">
    {facts.map(([name, text]) => (
      <div key={name}>
        <Text as="dt" isStrong>
          {name}
        </Text>
        <Text as="dd" tone="soft" top={0.125}>
          {text}
        </Text>
      </div>
    ))}
  </Sheet>
)

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
export const guidelines = {
  Component: () => (
    <Stack gap={0} maxWidth={48} className="page">
      <h1 className="page-title">Guidelines</h1>
      <Facts facts={rules.map((rule) => [ruleNames[rule], texts[rule]])} />
      <Text as="h2" top={2}>
        Report a problem
      </Text>
      <Stack as="ol" gap={0.5} top={0.75} className="rules-pages-steps">
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
  ),
}

/** Hidden from visitors and suspended users, who cannot read the page. */
function DecisionsLink() {
  const signedIn = useSession(isActiveUser)
  if (!signedIn) return 'moderation log'
  return <TextLink to={paths.decisions()}>moderation log</TextLink>
}

const viewers: [viewer: string, text: string][] = [
  [
    'Other users',
    'See “-” instead of your name. We remove your name from the title, and metadata, comment authors and attachments from the PDF.',
  ],
  [
    'Moderators and admins',
    'See no more than other users. They can suspend the author of a note without learning who it is.',
  ],
  [
    'The operator',
    'Can look up in the database and its backups which account a note belongs to. The original file is not stored, only its hash.',
  ],
]

/** The user's version of “What anonymous means” in docs/security.md. */
export const anonymity = {
  Component: () => (
    <Stack gap={0} maxWidth={48} className="page">
      <h1 className="page-title">What “anonymous” means</h1>
      <Facts facts={viewers} />
      <Text as="h2" top={2}>
        What can still give you away
      </Text>
      <Stack as="ol" gap={0.5} top={0.75} className="rules-pages-steps">
        <li>
          What is on the pages: names, handwriting and style stay. Before you upload, we show you where your name is.
        </li>
        <li>When you upload: notes uploaded at the same time look related.</li>
        <li>What you shared before: others may have a copy from before you made the note anonymous.</li>
        <li>
          Links to pages of yours, unless they contain your name or the first part of your email. We remove those.
        </li>
      </Stack>
      <Text top={1.25}>
        You can make a note anonymous when you upload it, or later in <TextLink to={paths.myNotes()}>My Notes</TextLink>
        .
      </Text>
    </Stack>
  ),
}
