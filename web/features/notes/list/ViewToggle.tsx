import { Icon } from '../../../platform/ui/Icon.tsx'
import { listView, listViews } from './preferences.ts'
import './view-toggle.css'

const ofNotes = {
  grid: { label: 'Grid view', icon: 'layout-grid' },
  list: { label: 'List view', icon: 'rows-3' },
} as const
const ofResults = {
  grid: { label: 'Preview view', icon: 'file-text' },
  list: { label: 'Compact view', icon: 'rows-3' },
} as const

export function ViewToggle({ isOfResults = false }: { isOfResults?: boolean }) {
  const looks = isOfResults ? ofResults : ofNotes
  const shown = listView.use()
  return (
    <div className="view-toggle">
      {listViews.map((look) => {
        const { label, icon } = looks[look]
        return (
          <button
            key={look}
            type="button"
            className="view-toggle-choice"
            aria-label={label}
            title={label}
            aria-pressed={look === shown}
            onClick={() => listView.choose(look)}
          >
            <Icon name={icon} />
          </button>
        )
      })}
    </div>
  )
}
