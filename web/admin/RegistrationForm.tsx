import { type FormEvent, useId, useState } from 'react'
import { changeHouseSettings } from '../../contract/house.endpoints.ts'
import {
  houseMessages,
  type RegistrationMode,
  type RegistrationPolicy,
  registrationModes,
} from '../../contract/house.ts'
import { api } from '../api/client.ts'
import { Button } from '../ui/Button.tsx'
import { Radio } from '../ui/Radio.tsx'
import { TextField } from '../ui/TextField.tsx'
import { useAdminChange } from './use-admin-change.ts'
import './admin-page.css'

const labels: Record<RegistrationMode, [string, string]> = {
  open: ['Everybody', 'Whoever has an email.'],
  domains: ['Emails of certain domains', 'And of what is below them: uni.example lets in mail.uni.example.'],
  invited: ['Who is invited', 'By one of the invitations below.'],
}

export function RegistrationForm({ policy }: { policy: RegistrationPolicy }) {
  const name = useId()
  const [mode, setMode] = useState(policy.mode)
  const [domains, setDomains] = useState(policy.domains.join(', '))
  const [error, setError] = useState<string | undefined>()
  const changing = useAdminChange(
    (registration: RegistrationPolicy) => api.call(changeHouseSettings, { body: { registration } }),
    () => 'Who may register was changed.',
  )

  function submit(event: FormEvent) {
    event.preventDefault()
    const typed = domains.split(/[\s,;]+/).filter(Boolean)
    if (mode === 'domains' && typed.length === 0) return setError(houseMessages.domains)
    changing.mutate({ mode, domains: mode === 'domains' ? typed : [] })
  }

  return (
    <form className="admin-page-form" noValidate onSubmit={submit}>
      <fieldset>
        <legend className="visually-hidden">Who may register</legend>
        {registrationModes.map((each) => (
          <Radio
            key={each}
            name={name}
            label={labels[each][0]}
            hint={labels[each][1]}
            checked={each === mode}
            onChange={() => setMode(each)}
          />
        ))}
      </fieldset>
      {mode === 'domains' && (
        <TextField
          label="Domains"
          hint="Such as uni.example, with commas between them. Visitors read them."
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={domains}
          error={error}
          onChange={({ target }) => {
            setDomains(target.value)
            setError(undefined)
          }}
        />
      )}
      <Button type="submit" variant="secondary" busy={changing.isPending}>
        Save who may register
      </Button>
    </form>
  )
}
