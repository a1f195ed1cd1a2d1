import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  createInvitation,
  resendInvitation,
  revokeInvitation,
} from '../../../packages/contract/instance-settings.endpoints.ts'
import { type Invitation, invitationForm } from '../../../packages/contract/instance-settings.ts'
import { ApiError, api } from '../../platform/api/client.ts'
import * as paths from '../../platform/paths.ts'
import { useAction } from '../../platform/session/use-action.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { copyText } from '../../platform/ui/browser.ts'
import { EmailField, TextField } from '../../platform/ui/fields.tsx'
import { Row, Stack, Text } from '../../platform/ui/layout.tsx'
import { showError, showSuccess } from '../../platform/ui/toast.ts'
import { SettingsForm, useApiForm } from '../auth/use-api-form.tsx'
import { formatDay, formatMoment } from '../notes/format.ts'
import { LoadMore } from '../notes/list/LoadMore.tsx'
import { invitationsQuery } from './admin-queries.ts'

export function Invitations() {
  const list = useInfiniteQuery(invitationsQuery)
  const invitations = list.data?.pages.flatMap((page) => page.invitations) ?? []
  const [links, setLinks] = useState<string[]>([])
  const inviting = useAction(
    async ({ body, reset }: { body: { email?: string }; reset: () => void }) => {
      const invited = await api.call(createInvitation, { body })
      // Before the success toast, when the admin may type the next address.
      reset()
      return invited
    },
    ({ body: { email } }) =>
      email === undefined ? 'Invitation link created. Copy it now.' : `Invitation sent to ${email}.`,
  )

  const { submit, field } = useApiForm(invitationForm, { email: '' }, async (body, { reset, setError }) =>
    inviting.mutate(
      { body, reset },
      {
        onSuccess: ({ token }) => token !== null && setLinks([...links, location.origin + paths.invitation(token)]),
        onError(failure) {
          const message = failure instanceof ApiError ? failure.fields.email : undefined
          if (message) setError('email', { message }, { shouldFocus: true })
        },
      },
    ),
  )

  return (
    <>
      <SettingsForm onSubmit={submit} busy={inviting.isPending} action="Invite">
        <EmailField
          label="Email"
          hint="Leave empty to get a link you can share."
          autoComplete="off"
          {...field('email')}
        />
      </SettingsForm>
      {links.map((link) => (
        <InvitationLink key={link} link={link} />
      ))}
      {invitations.length > 0 && (
        <Stack as="ul" gap={0} top={0.5} className="rows">
          {invitations.map((invitation) => (
            <InvitationRow key={invitation._id} invitation={invitation} />
          ))}
        </Stack>
      )}
      <LoadMore
        list={list}
        action="Load more invitations"
        error="There was an error fetching the invitations. Please try again."
        rows=".rows button"
      />
    </>
  )
}

function InvitationLink({ link }: { link: string }) {
  async function copy() {
    if (await copyText(link)) showSuccess('Invitation link copied.')
    else showError('Couldn’t copy automatically. Copy the link from the field.')
  }
  return (
    // Outside of the form, which Enter in the field would submit.
    <Stack gap={0.5} top={1.125} align="flex-start">
      <TextField
        label="Invitation link"
        hint="Copy it now. You won’t see it again."
        readOnly
        value={link}
        onFocus={({ target }) => target.select()}
      />
      <Button size="small" icon="copy" onClick={() => void copy()}>
        Copy
      </Button>
    </Stack>
  )
}

function InvitationRow({ invitation: { _id, email, createdAt, expiresAt, usedAt } }: { invitation: Invitation }) {
  const whom = email ?? `Link created ${formatMoment(createdAt)}`
  const withdrawing = useAction(
    (id: string) => api.call(revokeInvitation, { params: { id } }),
    () => 'Invitation revoked.',
  )
  const sending = useAction(
    (id: string) => api.call(resendInvitation, { params: { id } }),
    () => `Invitation resent to ${whom}.`,
  )
  return (
    <Row as="li" justify="space-between" gap={[0.5, 1]}>
      <div>
        <Text isStrong>{whom}</Text>
        <Text tone="soft" size="medium">
          {usedAt ? `Used on ${formatDay(usedAt)}` : `Pending until ${formatDay(expiresAt)}`}
        </Text>
      </div>
      {!usedAt && (
        <Row>
          {email !== null && (
            <Button
              size="small"
              aria-label={`Resend: ${whom}`}
              busy={sending.isPending}
              onClick={() => sending.mutate(_id)}
            >
              Resend
            </Button>
          )}
          <Button
            size="small"
            aria-label={`Revoke: ${whom}`}
            busy={withdrawing.isPending}
            onClick={() => withdrawing.mutate(_id)}
          >
            Revoke
          </Button>
        </Row>
      )}
    </Row>
  )
}
