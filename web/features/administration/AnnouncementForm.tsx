import { useWatch } from 'react-hook-form'
import { announcementLength } from '../../../packages/contract/announcements.ts'
import { updateInstanceSettings } from '../../../packages/contract/instance-settings.endpoints.ts'
import {
  announcementForm,
  type InstanceSettings,
  type InstanceSettingsUpdate,
} from '../../../packages/contract/instance-settings.ts'
import { api } from '../../platform/api/client.ts'
import { fetchCurrentUser } from '../../platform/session/load-session.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { SelectField, TextArea } from '../../platform/ui/fields.tsx'
import { Row, Stack, Text } from '../../platform/ui/layout.tsx'
import { useApiForm, useDraft } from '../auth/use-api-form.ts'
import { formatMoment } from '../notes/format.ts'
import { useAdminMutation } from './use-admin-mutation.ts'

const lengths = [
  { value: '1', label: '1 day' },
  { value: '3', label: '3 days' },
  { value: '7', label: '1 week' },
  { value: '30', label: '1 month' },
]

export function AnnouncementForm({ announcement }: Pick<InstanceSettings, 'announcement'>) {
  const changing = useAdminMutation(
    (change: InstanceSettingsUpdate['announcement'] & object) =>
      api.call(updateInstanceSettings, { body: { announcement: change } }),
    () => 'Announcement published.',
  )
  const removing = useAdminMutation(
    () => api.call(updateInstanceSettings, { body: { announcement: null } }),
    () => 'Announcement removed.',
  )

  const defaultValues = { text: '', days: '7' }
  const { form, submit, field } = useApiForm(announcementForm, defaultValues, async (typed, form) =>
    changing.mutate(typed, {
      onSuccess() {
        form.resetField('text')
        // Shows the bar to the admin too.
        void fetchCurrentUser().catch(() => {})
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
          <Button variant="ghost" busy={removing.isPending} onClick={() => removing.mutate(undefined)}>
            Remove
          </Button>
        )}
      </Row>
    </Stack>
  )
}
