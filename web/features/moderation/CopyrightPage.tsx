import { useState } from 'react'
import { submitCopyrightClaim } from '../../../packages/contract/copyright-claims.endpoints.ts'
import { copyrightClaim } from '../../../packages/contract/copyright-claims.ts'
import { api } from '../../platform/api/client.ts'
import * as paths from '../../platform/paths.ts'
import { focusHeading } from '../../platform/ui/browser.ts'
import { EmailField, TextArea, TextField } from '../../platform/ui/fields.tsx'
import { Stack } from '../../platform/ui/layout.tsx'
import { Alert } from '../auth/Alert.tsx'
import { AuthLayout, FooterLink } from '../auth/AuthLayout.tsx'
import { PageForm, useApiForm, useDraft } from '../auth/use-api-form.tsx'

/** The claim form for people without an account; they get the answer by mail. */
export function Component() {
  const [sentFrom, setSentFrom] = useState<string | null>(null)
  const defaultValues = { note: '', name: '', email: '', text: '', website: '' }
  const { form, submit, field, isSubmitting } = useApiForm(copyrightClaim, defaultValues, async (body, { reset }) => {
    await api.call(submitCopyrightClaim, { body })
    reset()
    setSentFrom(body.email)
    focusHeading()
  })
  useDraft('copyright', form)

  return (
    <AuthLayout
      title="Copyright"
      intro="Is your work here without your permission? Tell the moderators. You don’t need an account."
      footer={<FooterLink question="What can be uploaded:" text="Guidelines" to={paths.rules()} />}
    >
      {sentFrom !== null ? (
        <Stack gap={1.125} top={1.5}>
          <Alert kind="mail">
            Thank you. If the note exists, the moderators will review it and we’ll email the decision to{' '}
            <strong>{sentFrom}</strong>.
          </Alert>
        </Stack>
      ) : (
        <PageForm onSubmit={submit} busy={isSubmitting} action="Send">
          <TextField
            label="Link to the note"
            hint="It contains /notes/ followed by a long ID."
            autoComplete="off"
            {...field('note')}
          />
          <TextArea label="Your work" hint="Describe it and say where it was published." {...field('text')} />
          <TextField label="Your name" hint="Shown to the moderators." autoComplete="name" {...field('name')} />
          <EmailField
            label="Your email"
            hint="Only used to reply. Deleted after 30 days."
            autoComplete="email"
            {...field('email')}
          />
          {/* A honeypot for bots, which fill in every field. */}
          <input
            type="text"
            hidden
            tabIndex={-1}
            autoComplete="off"
            aria-label="Website"
            {...form.register('website')}
          />
        </PageForm>
      )}
    </AuthLayout>
  )
}
