import type { Pdfjs } from './note-file.ts'

type View = InstanceType<Pdfjs['viewer']['PDFViewer']>

const doubleTapMs = 300
const doubleTapPx = 30
/** The zoom of a double tap, relative to the fitted width. */
const doubleTapFactor = 2
/** In milliseconds: redrawing waits until the fingers rest. */
const drawingDelay = 400

/** Zoom gestures: pinch, double tap, and the wheel with Ctrl, which touchpads also send for a pinch. */
export function bindGestures({ pdfjs }: Pdfjs, view: View, container: HTMLElement, signal: AbortSignal): void {
  new pdfjs.TouchManager({
    container,
    onPinching: (origin: [number, number], before: number, now: number) =>
      view.updateScale({ scaleFactor: now / before, origin, drawingDelay }),
    signal,
  })

  container.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const origin = [event.clientX, event.clientY]
      view.updateScale({ scaleFactor: Math.exp(-clamp(event.deltaY, 50) / 150), origin, drawingDelay })
    },
    { passive: false, signal },
  )

  let last = { time: 0, x: 0, y: 0 }
  container.addEventListener(
    'touchend',
    (event) => {
      const touch = event.changedTouches[0]
      if (touch === undefined || event.touches.length > 0) return
      const tap = { time: event.timeStamp, x: touch.clientX, y: touch.clientY }
      const isDouble = tap.time - last.time < doubleTapMs && Math.hypot(tap.x - last.x, tap.y - last.y) < doubleTapPx
      last = isDouble ? { time: 0, x: 0, y: 0 } : tap
      if (!isDouble || !isOnPage(event.target)) return
      event.preventDefault()
      if (view.currentScaleValue === 'page-width') {
        view.updateScale({ scaleFactor: doubleTapFactor, origin: [tap.x, tap.y] })
      } else view.currentScaleValue = 'page-width'
    },
    { passive: false, signal },
  )
}

const clamp = (value: number, most: number) => Math.max(-most, Math.min(most, value))

/** Excludes links, buttons and the area below the last page. */
const isOnPage = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[data-page-number]') !== null && target.closest('a, button') === null
