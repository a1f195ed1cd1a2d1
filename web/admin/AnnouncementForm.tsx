import { type FormEvent, useRef, useState } from 'react'
import { announcementLength } from '../../contract/announcements.ts'
import { changeHouseSettings } from '../../contract/house.endpoints.ts'
import { type HouseChange, type HouseSettings, houseMessages } from '../../contract/house.ts'
import { api } from '../api/client.ts'
import { formatMoment } from '../notes/format.ts'
import { Button } from '../ui/Button.tsx'
import { focusHeading } from '../ui/focus-heading.ts'
import { SelectField } from '../ui/SelectField.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { useAdminChange } from './use-admin-change.ts'
import './admin-page.css'

const lengths = [
  { value: '1', label: 'For a day' },
  { value: '3', label: 'For 3 days' },
  { value: '7', label: 'For a week' },
  { value: '30', label: 'For a month' },
]

export function AnnouncementForm({ announcement }: Pick<HouseSettings, 'announcement'>) {
  const [text, setText] = useState('')
  const [days, setDays] = useState('7')
  const [isLacking, setLacking] = useState(false)
  const input = useRef<HTMLTextAreaElement>(null)
  const changing = useAdminChange(
    (change: HouseChange['announcement'] & object) => api.call(changeHouseSettings, { body: { announcement: change } }),
    () => 'Students read it from their next visit on.',
  )
  const removing = useAdminChange(
    () => api.call(changeHouseSettings, { body: { announcement: null } }),
    () => 'The announcement was taken away.',
    () => focusHeading('announcement'),
  )

  function submit(event: FormEvent) {
    event.preventDefault()
    if (text.trim() !== '') return changing.mutate({ text, days: Number(days) }, { onSuccess: () => setText('') })
    setLacking(true)
    input.current?.focus()
  }

  return (
    <form className="admin-page-form" noValidate onSubmit={submit}>
      {announcement && (
        <div>
          <p dir="auto" className="admin-page-now">
            {announcement.text}
          </p>
          <p className="admin-page-row-text">
            Shown until {formatMoment(announcement.until)}. Another one replaces it.
          </p>
        </div>
      )}
      <TextArea
        ref={input}
        label="Text"
        rows={3}
        limit={announcementLength.max}
        value={text}
        error={isLacking ? houseMessages.announcement : undefined}
        onChange={({ target }) => {
          setText(target.value)
          setLacking(false)
        }}
      />
      <SelectField label="How long" options={lengths} value={days} onChange={({ target }) => setDays(target.value)} />
      <div className="admin-page-buttons">
        <Button type="submit" variant="secondary" busy={changing.isPending}>
          Announce
        </Button>
        {announcement && (
          <Button variant="ghost" busy={removing.isPending} onClick={() => removing.mutate(undefined)}>
            Take it away
          </Button>
        )}
      </div>
    </form>
  )
}
