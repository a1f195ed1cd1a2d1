import { useQuery } from '@tanstack/react-query'
import { useLoaderData } from 'react-router'
import { ApiError } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import { Component as NotFoundPage } from '../../platform/layout/NotFoundPage.tsx'
import type { PageHandle } from '../../platform/layout/page-handle.ts'
import { Stack, Text } from '../../platform/ui/layout.tsx'
import { Section } from '../../platform/ui/Section.tsx'
import { AccountList } from './AccountList.tsx'
import { AnnouncementForm } from './AnnouncementForm.tsx'
import { AnonymousSuspensions } from './AnonymousSuspensions.tsx'
import { AuditLog } from './AuditLog.tsx'
import {
  auditQuery,
  invitationsQuery,
  membersQuery,
  noteSuspensionsQuery,
  problemsQuery,
  settingsQuery,
} from './admin-queries.ts'
import { Invitations } from './Invitations.tsx'
import { Problems } from './Problems.tsx'
import { RegistrationForm } from './RegistrationForm.tsx'
import { UploadLimitForm } from './UploadLimitForm.tsx'

/** False when the server returns 404, because the viewer is not an admin. */
type Loaded = boolean

export const handle = { title: (isThere) => (isThere ? 'Admin' : '404 Page Not Found') } satisfies PageHandle<Loaded>

export async function loader(): Promise<Loaded> {
  try {
    await Promise.all([
      queryClient.fetchQuery(settingsQuery),
      queryClient.fetchQuery(problemsQuery),
      queryClient.fetchInfiniteQuery(membersQuery('')),
      queryClient.fetchQuery(noteSuspensionsQuery),
      queryClient.fetchInfiniteQuery(invitationsQuery),
      queryClient.fetchInfiniteQuery(auditQuery),
    ])
    return true
  } catch (failure) {
    if (failure instanceof ApiError && failure.code === 'not_found') return false
    throw failure
  }
}

/** Users, roles and instance settings. Other users get the 404 page. */
export const Component = () => (useLoaderData<Loaded>() ? <Administration /> : <NotFoundPage />)

function Administration() {
  const { data: settings } = useQuery(settingsQuery)
  if (settings === undefined) return null
  const { registration, announcement, dailyUploadMb, maxDailyUploadMb, version } = settings
  return (
    <Stack gap={1.5} maxWidth={68} className="page">
      <h1 className="page-title">Admin</h1>
      <Text tone="soft" maxWidth={44}>
        Changes take effect immediately and are recorded in the audit log. Anonymous authors stay anonymous, even to
        admins. This is Lectern {version}.
      </Text>
      <Problems />
      <Section
        id="members"
        title="Accounts"
        text="Moderators review reported notes. Admins also manage accounts and settings. You can’t change your own account here."
      >
        <AccountList />
      </Section>
      <AnonymousSuspensions />
      <Section
        id="registration"
        title="Registration"
        text="Existing accounts aren’t affected. Invitations always work."
      >
        <RegistrationForm policy={registration} />
      </Section>
      <Section id="invitations" title="Invitations" text="Each invitation lets one person register within 14 days.">
        <Invitations />
      </Section>
      <Section
        id="announcement"
        title="Announcement"
        text="Shown at the top of every page to everyone who is logged in, until they dismiss it."
      >
        <AnnouncementForm announcement={announcement} />
      </Section>
      <Section
        id="uploads"
        title="Uploads"
        text={`How much each student can upload per 24 hours, up to ${maxDailyUploadMb} MB. Set individual limits under Accounts.`}
      >
        <UploadLimitForm dailyUploadMb={dailyUploadMb} maxDailyUploadMb={maxDailyUploadMb} />
      </Section>
      <Section id="log" title="Audit log" text="Role changes, moderation decisions and settings, newest first.">
        <AuditLog />
      </Section>
    </Stack>
  )
}
