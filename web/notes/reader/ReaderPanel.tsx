import { Tabs } from '@base-ui/react/tabs'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Contents } from './Contents.tsx'
import { PageThumbnails } from './PageThumbnails.tsx'
import './reader-panel.css'
import type { ReaderDocument } from './use-document.ts'

type ReaderPanelProps = {
  reader: ReaderDocument
  /** Opened by a key, from anywhere: the keyboard goes on in it. */
  takesFocus: boolean
  onClose: () => void
  children: ReactNode
}

/** The drawer: pages, table of contents, and what is known of the note (`children`). */
export function ReaderPanel({ reader, takesFocus, onClose, children }: ReaderPanelProps) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    if (takesFocus) panel.current?.querySelector<HTMLElement>('[role="tab"]')?.focus()
  }, [takesFocus])
  // Where there is room for both, the drawer stays open beside the pages.
  const closeIfInTheWay = () => window.matchMedia('(width < 48rem)').matches && onClose()
  return (
    <aside ref={panel} className="reader-panel" aria-label="Pages, contents and details">
      <Tabs.Root defaultValue="pages" className="reader-panel-tabs">
        <div className="reader-panel-head">
          <Tabs.List className="reader-panel-list">
            <Tabs.Tab value="pages" className="reader-panel-tab">
              Pages
            </Tabs.Tab>
            <Tabs.Tab value="contents" className="reader-panel-tab">
              Contents
            </Tabs.Tab>
            <Tabs.Tab value="about" className="reader-panel-tab">
              Details
            </Tabs.Tab>
          </Tabs.List>
          <Button
            variant="ghost"
            size="square"
            icon={<Icon name="x" />}
            aria-label="Close the drawer"
            onClick={onClose}
          />
        </div>
        <Tabs.Panel value="pages" className="reader-panel-content">
          <PageThumbnails reader={reader} onGo={closeIfInTheWay} />
        </Tabs.Panel>
        <Tabs.Panel value="contents" className="reader-panel-content">
          <Contents reader={reader} onGo={closeIfInTheWay} />
        </Tabs.Panel>
        <Tabs.Panel value="about" className="reader-panel-content">
          {children}
        </Tabs.Panel>
      </Tabs.Root>
    </aside>
  )
}
