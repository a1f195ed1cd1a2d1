import { type FormEvent, useState } from 'react'
import { changeHouseSettings } from '../../contract/house.endpoints.ts'
import type { HouseSettings } from '../../contract/house.ts'
import { api } from '../api/client.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/TextField.tsx'
import { notMegabytes, readMegabytes } from './megabytes.ts'
import { useAdminChange } from './use-admin-change.ts'
import './admin-page.css'

export function UploadsForm({
  dailyUploadMb,
  maxDailyUploadMb,
}: Pick<HouseSettings, 'dailyUploadMb' | 'maxDailyUploadMb'>) {
  const [typed, setTyped] = useState(String(dailyUploadMb ?? ''))
  const [error, setError] = useState<string | undefined>()
  const changing = useAdminChange(
    (change: number | null) => api.call(changeHouseSettings, { body: { dailyUploadMb: change } }),
    () => 'The limit was changed.',
  )

  function submit(event: FormEvent) {
    event.preventDefault()
    const change = readMegabytes(typed)
    if (change === undefined) setError(notMegabytes)
    else changing.mutate(change)
  }

  return (
    <form className="admin-page-form" noValidate onSubmit={submit}>
      <TextField
        label="MB in 24 hours"
        hint={`Empty: ${maxDailyUploadMb} MB.`}
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        error={error}
        onChange={({ target }) => {
          setTyped(target.value)
          setError(undefined)
        }}
      />
      <Button type="submit" variant="secondary" busy={changing.isPending}>
        Save limit
      </Button>
    </form>
  )
}
