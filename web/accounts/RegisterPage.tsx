import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import * as paths from '../paths.ts'
import { session, useSession } from '../session/store.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/TextField.tsx'
import { showSuccess } from '../ui/toast.ts'
import { AccountPage } from './AccountPage.tsx'
import './account-page.css'
import { EmailField } from './EmailField.tsx'
import { showRefusal, spokenMessage, toastFirstMessage } from './form-errors.ts'
import { keepNext } from './kept-next.ts'
import { lazyResolver, loadTexts, prepareSchemas } from './lazy-schemas.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { useLeaveWhenSignedIn } from './use-leave-when-signed-in.ts'
import { useNext } from './use-next.ts'
import { whatWaits } from './what-waits.ts'

/** SPEC.md section 2, "/register". */
export function Component() {
  useLeaveWhenSignedIn(paths.home())
  const navigate = useNavigate()
  const next = useNext()
  const waiting = whatWaits(next)
  const isLoading = useSession((state) => state.isLoading)
  const form = useForm({
    resolver: lazyResolver('registration'),
    defaultValues: { name: '', email: '', password: '', confirmPassword: '' },
  })
  const { errors } = form.formState

  const submit = form.handleSubmit(async (input) => {
    const outcome = await session.register(input)
    const { message } = session.getState()
    session.reset()
    if (!outcome.ok) {
      showRefusal(form, outcome.error, spokenMessage(message))
      return
    }
    showSuccess((await loadTexts()).registered)
    keepNext(next)
    await navigate(paths.login(next), { state: { registeredEmail: input.email } })
  }, toastFirstMessage)

  return (
    <AccountPage
      title="Register"
      intro={`${waiting ? `Register ${waiting}. ` : ''}One account, and every shelf is open to you.`}
      footer={
        <>
          Already registered?{' '}
          <Link className="link" to={paths.login(next)}>
            Login
          </Link>
        </>
      }
    >
      <form className="account-page-form" noValidate onFocus={prepareSchemas} onSubmit={submit}>
        <TextField label="Name" autoComplete="name" error={errors.name?.message} {...form.register('name')} />
        <EmailField autoComplete="email" error={errors.email?.message} {...form.register('email')} />
        <NewPasswordFields
          label="Password"
          typed={form.watch('password')}
          password={{ input: form.register('password'), error: errors.password?.message }}
          confirmPassword={{ input: form.register('confirmPassword'), error: errors.confirmPassword?.message }}
        />
        <Button type="submit" busy={isLoading}>
          Register
        </Button>
      </form>
    </AccountPage>
  )
}
