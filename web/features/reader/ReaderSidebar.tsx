import { Tabs } from '@base-ui/react/tabs'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { Button } from '../../platform/ui/Button.tsx'
import { Icon } from '../../platform/ui/Icon.tsx'
import { Matches } from './Matches.tsx'
import { PageThumbnails } from './PageThumbnails.tsx'
import { TableOfContents } from './TableOfContents.tsx'
import './reader-sidebar.css'
import type { ReaderDocument } from './use-document.ts'
import { type PanelTab, panelTabs } from './use-panel.ts'

type ReaderSidebarProps = {
  reader: ReaderDocument
  tab: PanelTab
  /** The drawer was opened with the keyboard and takes the focus. */
  takesFocus: boolean
  onChoose: (tab: PanelTab) => void
  onClose: () => void
  children: ReactNode
}

const labels: Record<PanelTab, string> = {
  pages: 'Pages',
  contents: 'Contents',
  matches: 'Matches',
  details: 'Details',
}

/** The drawer with pages, table of contents, matches and note details (`children`). */
export function ReaderSidebar({ reader, tab, takesFocus, onChoose, onClose, children }: ReaderSidebarProps) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    if (takesFocus) panel.current?.querySelector<HTMLElement>('[role="tab"]')?.focus()
  }, [takesFocus])
  const { container } = reader
  useLayoutEffect(() => {
    const element = panel.current
    return () => {
      if (element?.contains(document.activeElement)) container.current?.focus({ preventScroll: true })
    }
  }, [container])
  // On wide screens the drawer stays open beside the pages.
  const closeIfInTheWay = () => window.matchMedia('(width < 48rem)').matches && onClose()
  return (
    <aside ref={panel} className="reader-panel" aria-label="Pages, contents and details">
      <Tabs.Root value={tab} onValueChange={onChoose} className="reader-panel-tabs">
        <div className="reader-panel-head">
          <Tabs.List className="reader-panel-list">
            {panelTabs.map((each) => (
              <Tabs.Tab key={each} value={each} className="reader-panel-tab">
                {labels[each]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Button variant="ghost" size="square" icon={<Icon name="x" />} aria-label="Close sidebar" onClick={onClose} />
        </div>
        <Tabs.Panel value="pages" className="reader-panel-content">
          <PageThumbnails reader={reader} onGo={closeIfInTheWay} />
        </Tabs.Panel>
        <Tabs.Panel value="contents" className="reader-panel-content">
          <TableOfContents reader={reader} onGo={closeIfInTheWay} />
        </Tabs.Panel>
        <Tabs.Panel value="matches" className="reader-panel-content">
          <Matches reader={reader} onGo={closeIfInTheWay} />
        </Tabs.Panel>
        <Tabs.Panel value="details" className="reader-panel-content">
          {children}
        </Tabs.Panel>
      </Tabs.Root>
    </aside>
  )
}
