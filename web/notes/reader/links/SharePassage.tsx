import { useEffect, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import type { ReaderDocument } from '../use-document.ts'
import { type Passage, readSelectedPassage } from './passage.ts'
import './share-passage.css'

type SharePassageProps = { reader: ReaderDocument; onShare: (passage: Passage) => void }

/** Offered below the pages while a passage of them is selected. */
export function SharePassage({ reader, onShare }: SharePassageProps) {
  const [passage, setPassage] = useState<Passage | null>(null)
  useEffect(() => {
    const follow = () => setPassage(reader.pages.current && readSelectedPassage(reader.pages.current))
    document.addEventListener('selectionchange', follow)
    return () => document.removeEventListener('selectionchange', follow)
  }, [reader.pages])
  if (passage === null) return null
  return (
    <div className="share-passage">
      <Button
        size="small"
        icon={<Icon name="text-quote" />}
        // A press would end the selection, and with it this button.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onShare(passage)}
      >
        Share this passage
      </Button>
    </div>
  )
}
