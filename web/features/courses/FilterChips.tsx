import { useId, useState } from 'react'
import { Link, type To } from 'react-router'
import './filter-chips.css'
import { Row, Text } from '../../platform/ui/layout.tsx'

type Choice = { text: string; to: To; isChosen: boolean }

const shownAtFirst = 9

/** A row of choices, each of which links to its own address. A button expands a long row. */
export function FilterChips({ label, choices }: { label: string; choices: Choice[] }) {
  const id = useId()
  const [isUnfolded, setUnfolded] = useState(false)
  const shown = choices.filter(({ isChosen }, at) => isUnfolded || isChosen || at < shownAtFirst)
  return (
    <Row as="nav" align="baseline" gap={[0.25, 1]} aria-labelledby={id}>
      <Text tone="soft" size="medium" isStrong id={id} className="choices-label">
        {label}
      </Text>
      <Row as="ul" gap={0.5} className="choices-list">
        {shown.map(({ text, to, isChosen }) => (
          <li key={text}>
            <Link to={to} className="choices-chip" aria-current={isChosen || undefined} preventScrollReset>
              {text}
            </Link>
          </li>
        ))}
        {shown.length < choices.length && (
          <li>
            <button type="button" className="choices-chip choices-more" onClick={() => setUnfolded(true)}>
              {choices.length - shown.length} more
              <span className="visually-hidden"> of {label.toLowerCase()}</span>
            </button>
          </li>
        )}
      </Row>
    </Row>
  )
}
