import type { Pdfjs } from './note-file.ts'

type View = InstanceType<Pdfjs['viewer']['PDFViewer']>

const doubleTapMs = 300
const doubleTapPx = 30
/** A touch that lasts longer or moves farther is a scroll or a long press. */
const tapMs = 250
const tapPx = 10
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

  const none = { time: Number.NEGATIVE_INFINITY, x: 0, y: 0 }
  let start = none
  let last = none
  container.addEventListener(
    'touchstart',
    (event) => {
      start = event.touches.length === 1 ? readTouch(event) : none
    },
    { passive: true, signal },
  )
  container.addEventListener(
    'touchend',
    (event) => {
      if (event.touches.length > 0) return
      const tap = readTouch(event)
      const isTap = isNear(tap, start, tapMs, tapPx)
      const isDouble = isTap && isNear(tap, last, doubleTapMs, doubleTapPx)
      last = isTap && !isDouble ? tap : none
      if (!isDouble || !isOnPage(event.target)) return
      event.preventDefault()
      if (view.currentScaleValue === 'page-width') {
        view.updateScale({ scaleFactor: doubleTapFactor, origin: [tap.x, tap.y] })
      } else view.currentScaleValue = 'page-width'
    },
    { passive: false, signal },
  )
}

type Touched = { time: number; x: number; y: number }

function readTouch({ timeStamp: time, changedTouches: [touch] }: TouchEvent): Touched {
  return { time, x: touch?.clientX ?? 0, y: touch?.clientY ?? 0 }
}

const isNear = (one: Touched, other: Touched, ms: number, px: number) =>
  one.time - other.time < ms && Math.hypot(one.x - other.x, one.y - other.y) < px

const clamp = (value: number, most: number) => Math.max(-most, Math.min(most, value))

/** Excludes links, buttons and the area below the last page. */
const isOnPage = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[data-page-number]') !== null && target.closest('a, button') === null
