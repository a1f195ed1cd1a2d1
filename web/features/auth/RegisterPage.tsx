import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useLoaderData, useNavigate } from 'react-router'
import { accountMessages, registration } from '../../../packages/contract/accounts.ts'
import { getRegistrationPolicy } from '../../../packages/contract/instance-settings.endpoints.ts'
import type { RegistrationPolicy } from '../../../packages/contract/instance-settings.ts'
import { ApiError, api } from '../../platform/api/client.ts'
import { SiteLinks } from '../../platform/layout/SiteLinks.tsx'
import * as paths from '../../platform/paths.ts'
import { session, useSession } from '../../platform/session/store.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { EmailField, TextField } from '../../platform/ui/fields.tsx'
import { Stack, Text } from '../../platform/ui/layout.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { Alert } from './Alert.tsx'
import { AuthLayout, FooterLink } from './AuthLayout.tsx'
import { displayMessage, showFormError } from './form-errors.ts'
import { getLoginReason } from './get-login-reason.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { describePolicy } from './registration-policy.ts'
import { saveInvitation, saveReturnTo, useInvitation, useRedirectIfSignedIn, useReturnTo } from './return-to.ts'
import { useApiForm } from './use-api-form.tsx'

/** The registration policy. If it cannot be loaded, the response to the form explains the problem. */
export const loader = (): Promise<RegistrationPolicy | null> => api.call(getRegistrationPolicy).catch(() => null)

/** SPEC.md section 2, "/register". */
export function Component() {
  useRedirectIfSignedIn(paths.home())
  const policy = useLoaderData<RegistrationPolicy | null>()
  const invitation = useInvitation()
  const [refusal, setRefusal] = useState<string | null>(null)
  const navigate = useNavigate()
  const next = useReturnTo()
  const waiting = getLoginReason(next)
  const isLoading = useSession((state) => state.isLoading)
  const defaultValues = { name: '', email: '', password: '', confirmPassword: '' }
  const { form, submit, field } = useApiForm(registration, defaultValues, async (input, form) => {
    setRefusal(null)
    const outcome = await session.register({ ...input, ...(invitation !== null && { invitation }) })
    const { message } = session.getState()
    session.reset()
    if (!outcome.ok) {
      showFormError(form, outcome.error, displayMessage(message))
      const isOfInvitations = outcome.error instanceof ApiError && ofInvitations.includes(outcome.error.code)
      if (!isOfInvitations) return
      saveInvitation(null)
      setRefusal(message)
      return
    }
    showSuccess(accountMessages.registered)
    saveReturnTo(next)
    saveInvitation(null)
    await navigate(paths.login(next), { state: { registeredEmail: input.email } })
  })
  const typed = useWatch({ control: form.control, name: 'password' })

  const { intro, emailHint, isClosed } = describePolicy(policy, invitation !== null)
  return (
    <AuthLayout
      title="Register"
      intro={`${waiting ? `Register ${waiting}. ` : ''}${intro}`}
      footer={<FooterLink question="Already have an account?" text="Login" to={paths.login(next)} />}
    >
      {!isClosed && (
        <Stack as="form" gap={1.125} top={1.5} noValidate onSubmit={submit}>
          {refusal !== null && <Alert kind="error">{refusal}</Alert>}
          <TextField label="Name" autoComplete="name" {...field('name')} />
          <EmailField autoComplete="email" hint={emailHint} {...field('email')} />
          <NewPasswordFields label="Password" typed={typed} field={field} />
          <Button type="submit" busy={isLoading}>
            Register
          </Button>
          {/* In a new tab, so that nothing typed is lost. */}
          <Text as="div" tone="soft" size="small">
            <SiteLinks target="_blank" />
          </Text>
        </Stack>
      )}
    </AuthLayout>
  )
}

const ofInvitations = ['invitation_invalid', 'registration_not_open']
