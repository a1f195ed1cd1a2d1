import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { updateInstanceSettings } from '../../../packages/contract/instance-settings.endpoints.ts'
import {
  type RegistrationMode,
  type RegistrationPolicy,
  registrationForm,
  registrationModes,
} from '../../../packages/contract/instance-settings.ts'
import { api } from '../../platform/api/client.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { Stack } from '../../platform/ui/layout.tsx'
import { Radio } from '../../platform/ui/Radio.tsx'
import { TextField } from '../../platform/ui/TextField.tsx'
import { toastFirstError } from '../auth/form-errors.ts'
import { useAdminMutation } from './use-admin-mutation.ts'

const labels: Record<RegistrationMode, [string, string]> = {
  open: ['Anyone', 'Anyone with an email address.'],
  domains: ['Specific email domains', 'Includes subdomains: uni.example also allows mail.uni.example.'],
  invited: ['Invitation only', 'Only people with an invitation can register.'],
}

export function RegistrationForm({ policy }: { policy: RegistrationPolicy }) {
  // Not `values`: the response to a save would overwrite choices made in the meantime.
  const defaultValues = { mode: policy.mode, domains: policy.domains.join(', ') }
  const form = useForm({ resolver: zodResolver(registrationForm), defaultValues })
  const mode = useWatch({ control: form.control, name: 'mode' })
  const { errors } = form.formState
  const changing = useAdminMutation(
    (registration: RegistrationPolicy) => api.call(updateInstanceSettings, { body: { registration } }),
    () => 'Registration settings saved.',
  )

  const submit = form.handleSubmit((registration) => {
    const typed = form.getValues('domains')
    changing.mutate(registration, {
      onSuccess({ registration: { mode, domains } }) {
        if (mode === 'domains' && form.getValues('domains') === typed) form.setValue('domains', domains.join(', '))
      },
    })
  }, toastFirstError)

  return (
    <Stack as="form" gap={1.125} align="flex-start" noValidate onSubmit={(event) => void submit(event)}>
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
          error={errors.domains?.message}
          {...form.register('domains')}
        />
      )}
      <Button type="submit" variant="secondary" busy={changing.isPending}>
        Save registration settings
      </Button>
    </Stack>
  )
}
