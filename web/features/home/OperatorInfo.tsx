import { useEffect, useState } from 'react'
import { getAbout } from '../../../packages/contract/about.endpoints.ts'
import type { About } from '../../../packages/contract/about.ts'
import './operator-info.css'
import { api } from '../../platform/api/client.ts'
import { Text } from '../../platform/ui/layout.tsx'

/** Shows the operator's name and text as plain text, never as markup. */
export function OperatorInfo({ about }: { about: About | null | undefined }) {
  const { operatorName = null, operatorText = null } = about ?? {}
  const paragraphs = operatorText?.split(/\n\s*\n/) ?? []
  return (
    <section className="sheet operator-info" aria-labelledby="about-operator">
      <h2 id="about-operator" className="text-soft text-medium operator-info-title">
        Who runs this site
      </h2>
      {operatorName !== null && (
        <Text isSerif top={0.875} className="operator-info-name">
          {operatorName}
        </Text>
      )}
      {paragraphs.map((paragraph, at) => (
        <Text top={0.75} isWritten key={at}>
          {paragraph}
        </Text>
      ))}
      {about !== undefined && operatorName === null && operatorText === null && (
        <Text top={0.75}>The people who run this site haven’t added any details yet.</Text>
      )}
    </section>
  )
}

/** Returns the public facts about this instance. Undefined while they are loading, null if loading failed. */
export function useSiteInfo(): About | null | undefined {
  const [about, setAbout] = useState<About | null>()
  useEffect(() => {
    const leaving = new AbortController()
    api.call(getAbout, { signal: leaving.signal }).then(setAbout, () => {
      if (!leaving.signal.aborted) setAbout(null)
    })
    return () => leaving.abort()
  }, [])
  return about
}
