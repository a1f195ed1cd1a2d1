import type { About } from '../../contract/about.ts'
import './operator.css'

/** Who runs this place, in their own words: text, whatever is in it. */
export function Operator({ about }: { about: About | null | undefined }) {
  const { operatorName = null, operatorText = null } = about ?? {}
  const paragraphs = operatorText?.split(/\n\s*\n/) ?? []
  return (
    <section className="operator" aria-labelledby="about-operator">
      <h2 id="about-operator" className="operator-title">
        Who runs this place
      </h2>
      {operatorName !== null && <p className="operator-name">{operatorName}</p>}
      {paragraphs.map((paragraph, at) => (
        <p key={at} className="operator-text">
          {paragraph}
        </p>
      ))}
      {about !== undefined && operatorName === null && operatorText === null && (
        <p className="operator-text">
          Whoever runs it has not introduced themselves yet. Whoever gave you this address will know them.
        </p>
      )}
    </section>
  )
}
