import type { OwnSuspension } from '../../../packages/contract/profile.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import * as paths from '../../platform/paths.ts'
import { useSession } from '../../platform/session/store.ts'
import { TextLink } from '../../platform/ui/Button.tsx'
import { Section, Stack, Text } from '../../platform/ui/layout.tsx'
import { OperatorInfo, useSiteInfo } from '../home/OperatorInfo.tsx'
import { formatMoment } from '../notes/format.ts'
import { DeleteAccountSection, ExportSection, PasswordSection, SessionsSection } from './AccountSections.tsx'
import { accountDeletionQuery, exportQuery, sessionsQuery } from './settings-queries.ts'

/** The page itself retries requests that fail here. */
export async function loader(): Promise<void> {
  await Promise.all([
    queryClient.prefetchQuery(exportQuery),
    queryClient.prefetchQuery(accountDeletionQuery),
    queryClient.prefetchQuery(sessionsQuery),
  ])
}

/** The only page of a suspended user: the reason, the contact address and the remaining settings. */
export function Component() {
  const user = useSession((state) => state.user)
  const about = useSiteInfo()
  // Reached only briefly between the end of a session and the login page.
  if (!user?.suspension) return null
  return (
    <Stack gap={1.5} maxWidth={68} className="page">
      <h1 className="page-title">Your account is suspended</h1>
      <SuspensionReason {...user.suspension} />
      <Section
        id="objection"
        title="Think this is a mistake?"
        text="Contact the people who run this site. If an admin lifts the suspension, your account works as before."
      >
        <OperatorInfo about={about} />
      </Section>
      <ExportSection />
      <DeleteAccountSection />
      <SessionsSection />
      <PasswordSection email={user.email} />
    </Stack>
  )
}

const SuspensionReason = ({ until, reason, noteTitle }: OwnSuspension) => (
  <Stack as="section" gap={0.75} aria-label="Reason" className="sheet sheet-padded">
    <Text size="large" isStrong maxWidth={40}>
      {until === null ? (
        'You can’t read, upload or edit notes until an admin lifts the suspension.'
      ) : (
        <>
          You can’t read, upload or edit notes until <time dateTime={until}>{formatMoment(until)}</time>.
        </>
      )}
    </Text>
    <p>{noteTitle === null ? 'Reason:' : `This is about your note “${noteTitle}”. Reason:`}</p>
    <Text as="blockquote" maxWidth={40} dir="auto" className="quote">
      {reason}
    </Text>
    {noteTitle !== null && <p>If the note is anonymous, nobody has been told it’s yours.</p>}
    <p>
      <TextLink to={paths.rules()}>Guidelines</TextLink>
    </p>
  </Stack>
)
