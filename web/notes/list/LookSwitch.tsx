import { LayoutGrid, Rows3 } from 'lucide-react'
import { listLook, listLooks } from './choices.ts'
import './look-switch.css'

const looks = {
  grid: { label: 'Show as a grid', Icon: LayoutGrid },
  list: { label: 'Show as a list', Icon: Rows3 },
}

/** Cards with their pictures, or a line for each note. */
export function LookSwitch() {
  const shown = listLook.use()
  return (
    <div className="look-switch">
      {listLooks.map((look) => {
        const { label, Icon } = looks[look]
        return (
          <button
            key={look}
            type="button"
            className="look-switch-choice"
            aria-label={label}
            title={label}
            aria-pressed={look === shown}
            onClick={() => listLook.choose(look)}
          >
            <Icon aria-hidden="true" />
          </button>
        )
      })}
    </div>
  )
}
