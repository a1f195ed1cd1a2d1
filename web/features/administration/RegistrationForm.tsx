import { useWatch } from 'react-hook-form'
import { updateInstanceSettings } from '../../../packages/contract/instance-settings.endpoints.ts'
import {
  type RegistrationMode,
  type RegistrationPolicy,
  registrationForm,
  registrationModes,
} from '../../../packages/contract/instance-settings.ts'
import { api } from '../../platform/api/client.ts'
import { Radio, TextField } from '../../platform/ui/fields.tsx'
import { SettingsForm } from '../accounts/SettingsForm.tsx'
import { useApiForm } from '../auth/use-api-form.ts'
import { useAdminMutation } from './use-admin-mutation.ts'

const labels: Record<RegistrationMode, [string, string]> = {
  open: ['Anyone', 'Anyone with an email address.'],
  domains: ['Specific email domains', 'Includes subdomains: uni.example also allows mail.uni.example.'],
  invited: ['Invitation only', 'Only people with an invitation can register.'],
}

export function RegistrationForm({ policy }: { policy: RegistrationPolicy }) {
  // Not `values`: the response to a save would overwrite choices made in the meantime.
  const defaultValues = { mode: policy.mode, domains: policy.domains.join(', ') }
  const changing = useAdminMutation(
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
