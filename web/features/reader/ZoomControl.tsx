import { Button } from '../../platform/ui/Button.tsx'
import { Icon } from '../../platform/ui/Icon.tsx'
import { type ReaderDocument, updateView, useDocumentState } from './use-document.ts'
import { type Fit, fits } from './viewer/document-store.ts'
import './zoom-control.css'

const fitLabels: Record<Fit, string> = { auto: 'Automatic', 'page-width': 'Fit width', 'page-fit': 'Fit page' }
const scales = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4]
const percent = (scale: number) => `${Math.round(scale * 100)}%`

export function ZoomControl({ reader }: { reader: ReaderDocument }) {
  const scale = useDocumentState(reader, (state) => state.scale)
  const fit = useDocumentState(reader, (state) => state.fit)
  const isReady = useDocumentState(reader, (state) => state.opening.kind === 'ready')
  const view = () => reader.opened.current?.view
  const isListed = fit !== null || scales.includes(scale)
  return (
    <div className="zoom-control">
      <Button
        variant="ghost"
        size="square"
        icon={<Icon name="minus" />}
        aria-label="Zoom out"
        title="Zoom out"
        disabled={!isReady}
        onClick={() => view()?.decreaseScale()}
      />
      <select
        aria-label="Zoom"
        className="zoom-control-select"
        disabled={!isReady}
        value={fit ?? scale}
        onChange={(event) =>
          updateView(reader, (view) => {
            view.currentScaleValue = event.target.value
          })
        }
      >
        {!isListed && <option value={scale}>{percent(scale)}</option>}
        {fits.map((each) => (
          <option key={each} value={each}>
            {fitLabels[each]}
          </option>
        ))}
        {scales.map((each) => (
          <option key={each} value={each}>
            {percent(each)}
          </option>
        ))}
      </select>
      <Button
        variant="ghost"
        size="square"
        icon={<Icon name="plus" />}
        aria-label="Zoom in"
        title="Zoom in"
        disabled={!isReady}
        onClick={() => view()?.increaseScale()}
      />
    </div>
  )
}
