import type { FilePart } from '../../../platform/api/client.ts'
import type { DocumentStore } from './document-store.ts'
import { createFindController, createFinder } from './find.ts'
import { bindGestures } from './gestures.ts'
import type { Pdfjs } from './load-pdfjs.ts'
import { loadFile, type PrefetchedRange } from './note-file.ts'
import { injectOcrText } from './recognised-text.ts'

type ReaderStatus = {
  noteId: string
  first: FilePart
  ahead: PrefetchedRange[]
  worker: Worker
  /** What scrolls, and in it what the pages are put into. */
  container: HTMLDivElement
  pages: HTMLDivElement
  store: DocumentStore
  /** Where it opens; a page beyond the last one is the last one. */
  page: number
  /** The file is another one by now: open it anew. */
  onChanged: () => void
}

/** A document on display, and what can be done with it. */
export type OpenDocument = ReturnType<typeof openDocument>

/** Shows a file in `pages` and tells `store` about it, until it is closed. */
export function openDocument(
  modules: Pdfjs,
  { noteId, first, ahead, worker: port, container, pages, store, page, onChanged }: ReaderStatus,
) {
  const { pdfjs, viewer: components, annotationImages } = modules
  const aborter = new AbortController()
  const { signal } = aborter
  modules.adoptViewerStyles(signal)
  pages.classList.add('pdfViewer')

  const bus = new components.EventBus()
  const links = new components.PDFLinkService({
    eventBus: bus,
    externalLinkTarget: components.LinkTarget.BLANK,
    externalLinkRel: 'noopener noreferrer nofollow',
    // A link leads to its place and leaves the size as the student chose it.
    ignoreDestinationZoom: true,
  })
  const finder = createFinder(modules, bus, links)
  const view = new components.PDFViewer({
    container,
    viewer: pages,
    eventBus: bus,
    linkService: links,
    findController: finder,
    removePageBorders: true,
    // Forms and comments as they look: nothing can be filled in, and there is nothing to run scripts.
    annotationMode: pdfjs.AnnotationMode.ENABLE,
    annotationEditorMode: pdfjs.AnnotationEditorType.DISABLE,
    imageResourcesPath: annotationImages,
    // Not among the documented ones, and the only way to make it let go of the window.
    ...({ abortSignal: signal } as object),
  })
  links.setViewer(view)

  const { setState } = store
  const lost = (failure: unknown) => setState({ opening: { kind: 'failed', failure } })
  const file = loadFile(modules, port, noteId, first, ahead, {
    onStalled: (stalled) => setState({ stalled }),
    onChanged,
    onLost: lost,
  })
  const { loading } = file
  let isLocked = false
  loading.onPassword = (unlock: (password: string) => void, reason: number) => {
    isLocked = true
    const wasWrong = reason === pdfjs.PasswordResponses.INCORRECT_PASSWORD
    const cancel = () => setState({ opening: { kind: 'unreadable', isLocked } })
    setState({ opening: { kind: 'locked', wasWrong, unlock, cancel } })
  }

  bus.on('pagesinit', () => {
    for (let number = 1; number <= view.pagesCount; number++) namePage(view.getPageView(number - 1).div, number)
    view.currentScaleValue = container.clientWidth < narrowPx ? 'page-width' : 'auto'
    view.currentPageNumber = Math.min(page, view.pagesCount)
    setState({ opening: { kind: 'ready' }, page: view.currentPageNumber })
  })
  bus.on('textlayerrendered', ({ source }: { source: { textLayer: { div: HTMLElement } } }) => {
    // A stop of the keyboard without a name; what is selected there is selected with the pointer.
    source.textLayer.div.tabIndex = -1
  })
  bus.on(
    'pagerendered',
    () => {
      setState({ isPageDrawn: true })
      // Without them pages are called by their numbers.
      view.pdfDocument?.getPageLabels().then(
        (pageLabels) => signal.aborted || setState({ pageLabels }),
        () => {},
      )
    },
    { once: true },
  )
  bus.on('pagerender', ({ source }: PageEvent) => {
    // Drawn larger it is seen until it is drawn anew.
    if (source.div.querySelector('canvas') === null) delete source.div.dataset.drawn
  })
  bus.on('pagerendered', ({ source }: PageEvent) => {
    source.div.dataset.drawn = 'true'
  })
  bus.on('pagechanging', ({ pageNumber }: { pageNumber: number }) => setState({ page: pageNumber }))
  bus.on('scalechanging', ({ scale, presetValue }: { scale: number; presetValue?: string }) =>
    setState({ scale, fit: readFit(presetValue) }),
  )
  bus.on('rotationchanging', ({ pagesRotation }: { pagesRotation: number }) => setState({ rotation: pagesRotation }))
  bindGestures(modules, view, container, signal)
  refitOnResize(view, container, signal)

  loading.promise.then(
    (document) => {
      if (signal.aborted) return
      injectOcrText(document, noteId)
      setState({ document, pageCount: document.numPages })
      links.setDocument(document)
      view.setDocument(document)
    },
    () => {
      if (!signal.aborted) setState({ opening: { kind: 'unreadable', isLocked } })
    },
  )

  return {
    view,
    find: createFindController(modules, finder, bus, store),
    /** Follows an entry of the table of contents. */
    goTo: (destination: string | unknown[]) => void links.goToDestination(destination as string),
    close() {
      aborter.abort()
      links.setDocument(null)
      view.setDocument(null)
      file.close()
    },
  }
}

type PageEvent = { source: { div: HTMLElement } }

/** Instead of pdf.js, which wraps the number in marks of direction that some screen readers speak. */
function namePage(page: HTMLElement, number: number): void {
  page.removeAttribute('data-l10n-id')
  page.setAttribute('aria-label', `Page ${number}`)
}

/** Below it a page is as wide as the window from the start. */
const narrowPx = 768

const readFit = (value: string | undefined) =>
  value === 'auto' || value === 'page-width' || value === 'page-fit' ? value : null

type View = InstanceType<Pdfjs['viewer']['PDFViewer']>

/** A page that is fitted into the window stays so when that changes. */
function refitOnResize(view: View, container: HTMLElement, signal: AbortSignal): void {
  const observer = new ResizeObserver(() => {
    // Being taken off the page is a change of size, too.
    if (container.clientWidth === 0) return
    const fit = readFit(view.currentScaleValue ?? undefined)
    if (fit !== null) view.currentScaleValue = fit
    view.update()
  })
  observer.observe(container)
  signal.addEventListener('abort', () => observer.disconnect())
}
