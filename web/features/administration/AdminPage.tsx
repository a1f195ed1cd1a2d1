import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useLoaderData } from 'react-router'
import { updateInstanceSettings } from '../../../packages/contract/instance-settings.endpoints.ts'
import type { InstanceSettings } from '../../../packages/contract/instance-settings.ts'
import { liftNoteAuthorSuspension } from '../../../packages/contract/members.endpoints.ts'
import { type AuditEntry, quotaForm } from '../../../packages/contract/members.ts'
import { ApiError, api } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import { Component as NotFoundPage } from '../../platform/layout/NotFoundPage.tsx'
import type { PageHandle } from '../../platform/layout/page-handle.ts'
import * as paths from '../../platform/paths.ts'
import { useAction } from '../../platform/session/use-action.ts'
import { Button, TextLink } from '../../platform/ui/Button.tsx'
import { ErrorState } from '../../platform/ui/EmptyState.tsx'
import { Icon } from '../../platform/ui/Icon.tsx'
import { Row, Section, Stack, Text } from '../../platform/ui/layout.tsx'
import { SettingsForm, useApiForm } from '../auth/use-api-form.tsx'
import { formatDay, formatMoment } from '../notes/format.ts'
import { LoadMore } from '../notes/list/LoadMore.tsx'
import { AccountList, UploadLimitField } from './AccountList.tsx'
import {
  auditQuery,
  invitationsQuery,
  membersQuery,
  noteSuspensionsQuery,
  problemsQuery,
  settingsQuery,
} from './admin-queries.ts'
import { describeAccount, describeAuditEntry } from './describe-entry.ts'
import { Invitations } from './Invitations.tsx'
import { AnnouncementForm, RegistrationForm } from './SiteSettings.tsx'
import './admin-page.css'

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
        text="Moderators review reported notes. Admins also manage accounts and settings. You can’t change your own role or suspend yourself."
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

function Problems() {
  const { data: problems = [] } = useQuery(problemsQuery)
  const text =
    problems.length > 0
      ? 'Admins get an email about each problem, and another when it’s resolved.'
      : 'Everything is working.'
  return (
    <Section id="attention" title="Needs attention" text={text}>
      {problems.length > 0 && (
        <ul>
          {problems.map(({ kind, text, since }) => (
            <li key={kind}>
              {text} <time dateTime={since}>Since {formatMoment(since)}</time>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

const fetchError = 'There was an error fetching the audit log. Please try again.'

function AuditLog() {
  const list = useInfiniteQuery(auditQuery)
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? []
  if (list.isLoadingError) return <ErrorState title={fetchError} query={list} />
  if (entries.length === 0) return <Text tone="soft">No entries yet.</Text>
  return (
    <>
      <ol className="rows">
        {entries.map((entry) => (
          <Text as="li" key={entry.number}>
            <Text as="time" dateTime={entry.at} tone="faint" size="small" isCount>
              {formatMoment(entry.at)}
            </Text>
            <p>
              <Actor actor={entry.actor} /> {describeAuditEntry(entry)}
            </p>
          </Text>
        ))}
      </ol>
      <LoadMore list={list} action="Load more entries" error={fetchError} />
    </>
  )
}

/** Marks the command line so that no account name can imitate it. */
const Actor = ({ actor }: Pick<AuditEntry, 'actor'>) =>
  actor === null ? (
    <span className="tag audit-log-operator">
      <Icon name="square-terminal" size={1} />
      Command line
    </span>
  ) : (
    <>
      <bdi>{describeAccount(actor.name, actor.email)}</bdi>:
    </>
  )

const toFormValues = (limit: number | null) => ({ dailyUploadMb: String(limit ?? '') })

function UploadLimitForm({
  dailyUploadMb,
  maxDailyUploadMb,
}: Pick<InstanceSettings, 'dailyUploadMb' | 'maxDailyUploadMb'>) {
  const changing = useAction(
    (change: { dailyUploadMb: number | null }) => api.call(updateInstanceSettings, { body: change }),
    () => 'Upload limit saved.',
  )

  const schema = quotaForm(maxDailyUploadMb)
  const { submit, field } = useApiForm(schema, toFormValues(dailyUploadMb), async (change, form) =>
    changing.mutate(change, { onSuccess: (set) => form.reset(toFormValues(set.dailyUploadMb)) }),
  )

  return (
    <SettingsForm onSubmit={submit} busy={changing.isPending} action="Save limit">
      <UploadLimitField hint={`Leave empty for ${maxDailyUploadMb} MB.`} {...field('dailyUploadMb')} />
    </SettingsForm>
  )
}

/** The suspended authors of anonymous notes, listed by note, because admins do not learn their identity. */
function AnonymousSuspensions() {
  const { data: suspensions = [] } = useQuery(noteSuspensionsQuery)
  const lifting = useAction(
    (id: string) => api.call(liftNoteAuthorSuspension, { params: { id } }),
    () => 'Suspension lifted.',
  )
  if (suspensions.length === 0) return null
  return (
    <Section
      id="note-suspensions"
      title="Suspended anonymous authors"
      text="The authors of these anonymous notes are suspended. They aren’t listed above, so nobody can see who they are."
    >
      <ul className="rows">
        {suspensions.map(({ noteId, title, until, reason }) => (
          <Row as="li" justify="space-between" gap={[0.5, 1]} key={noteId}>
            <div>
              <Row as="p" gap={[0, 0.5]} isStrong>
                <TextLink to={paths.note(noteId)} dir="auto">
                  {title}
                </TextLink>
              </Row>
              <Text tone="soft" size="medium">
                {until ? `Until ${formatDay(until)}` : 'Until lifted'}: <span dir="auto">{reason}</span>
              </Text>
            </div>
            <Button
              size="small"
              aria-label={`Lift suspension: ${title}`}
              busy={lifting.isPending && lifting.variables === noteId}
              onClick={() => lifting.mutate(noteId)}
            >
              Lift suspension
            </Button>
          </Row>
        ))}
      </ul>
    </Section>
  )
}
