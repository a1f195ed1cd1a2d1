import { useWatch } from 'react-hook-form'
import { announcementLength } from '../../../packages/contract/announcements.ts'
import { updateInstanceSettings } from '../../../packages/contract/instance-settings.endpoints.ts'
import {
  announcementForm,
  type InstanceSettings,
  type InstanceSettingsUpdate,
  type RegistrationMode,
  type RegistrationPolicy,
  registrationForm,
  registrationModes,
} from '../../../packages/contract/instance-settings.ts'
import { api } from '../../platform/api/client.ts'
import { fetchCurrentUser } from '../../platform/session/load-session.ts'
import { useAction } from '../../platform/session/use-action.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { Radio, SelectField, TextArea, TextField } from '../../platform/ui/fields.tsx'
import { Row, Stack, Text } from '../../platform/ui/layout.tsx'
import { SettingsForm, useApiForm, useDraft } from '../auth/use-api-form.tsx'
import { formatMoment } from '../notes/format.ts'

const labels: Record<RegistrationMode, [string, string]> = {
  open: ['Anyone', 'Anyone with an email address.'],
  domains: ['Specific email domains', 'Includes subdomains: uni.example also allows mail.uni.example.'],
  invited: ['Invitation only', 'Only people with an invitation can register.'],
}

export function RegistrationForm({ policy }: { policy: RegistrationPolicy }) {
  // Not `values`: the response to a save would overwrite choices made in the meantime.
  const defaultValues = { mode: policy.mode, domains: policy.domains.join(', ') }
  const changing = useAction(
    (registration: RegistrationPolicy) => api.call(updateInstanceSettings, { body: { registration } }),
    () => 'Registration settings saved.',
  )

  const { form, submit, field } = useApiForm(registrationForm, defaultValues, async (registration, form) => {
    const typed = form.getValues('domains')
    changing.mutate(registration, {
      onSuccess({ registration: { mode, domains } }) {
        if (mode === 'domains' && form.getValues('domains') === typed) form.setValue('domains', domains.join(', '))
      },
    })
  })
  const mode = useWatch({ control: form.control, name: 'mode' })

  return (
    <SettingsForm onSubmit={submit} busy={changing.isPending} action="Save registration settings">
      <fieldset>
        <legend className="visually-hidden">Who can register</legend>
        {registrationModes.map((each) => (
          <Radio key={each} label={labels[each][0]} hint={labels[each][1]} value={each} {...form.register('mode')} />
        ))}
      </fieldset>
      {mode === 'domains' && (
        <TextField
          label="Domains"
          hint="Separate with commas. Shown on the registration page."
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          {...field('domains')}
        />
      )}
    </SettingsForm>
  )
}

const lengths = [
  { value: '1', label: '1 day' },
  { value: '3', label: '3 days' },
  { value: '7', label: '1 week' },
  { value: '30', label: '1 month' },
]

/** The admin sees the announcement above every page too. */
const updateBar = () => void fetchCurrentUser().catch(() => {})

export function AnnouncementForm({ announcement }: Pick<InstanceSettings, 'announcement'>) {
  const changing = useAction(
    (change: InstanceSettingsUpdate['announcement'] & object) =>
      api.call(updateInstanceSettings, { body: { announcement: change } }),
    () => 'Announcement published.',
  )
  const removing = useAction(
    () => api.call(updateInstanceSettings, { body: { announcement: null } }),
    () => 'Announcement removed.',
  )

  const defaultValues = { text: '', days: '7' }
  const { form, submit, field } = useApiForm(announcementForm, defaultValues, async (typed, form) =>
    changing.mutate(typed, {
      onSuccess() {
        form.resetField('text')
        updateBar()
      },
    }),
  )
  useDraft('announcement', form)
  const text = useWatch({ control: form.control, name: 'text' })

  return (
    <Stack as="form" gap={1.125} align="flex-start" noValidate onSubmit={(event) => void submit(event)}>
      {announcement && (
        <div>
          <Text bottom={1.125} dir="auto" className="quote">
            {announcement.text}
          </Text>
          <Text tone="soft" size="medium">
            Shown until {formatMoment(announcement.until)}. A new announcement replaces it.
          </Text>
        </div>
      )}
      <TextArea label="Message" rows={3} limit={announcementLength.max} {...field('text')} value={text} />
      <SelectField label="Show for" options={lengths} {...form.register('days')} />
      <Row>
        <Button type="submit" variant="secondary" busy={changing.isPending}>
          Publish
        </Button>
        {announcement && (
          <Button
            variant="ghost"
            busy={removing.isPending}
            onClick={() => removing.mutate(undefined, { onSuccess: updateBar })}
          >
            Remove
          </Button>
        )}
      </Row>
    </Stack>
  )
}
