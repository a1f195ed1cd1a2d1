import * as paths from '../../platform/paths.ts'
import { TextLink } from '../../platform/ui/Button.tsx'
import { Sheet, Stack, Text } from '../../platform/ui/layout.tsx'
import './guidelines-page.css'

const viewers = [
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
export const Component = () => (
  <Stack gap={0} maxWidth={48} className="page">
    <h1 className="page-title">What “anonymous” means</h1>
    <Sheet as="dl" top={1.5} className="rows">
      {viewers.map(([viewer, text]) => (
        <div key={viewer}>
          <Text as="dt" isStrong>
            {viewer}
          </Text>
          <Text as="dd" tone="soft" top={0.125}>
            {text}
          </Text>
        </div>
      ))}
    </Sheet>
    <Text as="h2" top={2}>
      What can still give you away
    </Text>
    <Stack as="ol" gap={0.5} top={0.75} className="guidelines-page-steps">
      <li>
        What is on the pages: names, handwriting and style stay. Before you upload, we show you where your name is.
      </li>
      <li>When you upload: notes uploaded at the same time look related.</li>
      <li>What you shared before: others may have a copy from before you made the note anonymous.</li>
      <li>Links to pages of yours, unless they contain your name or the first part of your email. We remove those.</li>
    </Stack>
    <Text top={1.25}>
      You can make a note anonymous when you upload it, or later in <TextLink to={paths.myNotes()}>My Notes</TextLink>.
    </Text>
  </Stack>
)
