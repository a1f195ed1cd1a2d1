import type { FilePart } from '../../../platform/api/client.ts'
import { pdfjsFolder } from '../../../platform/pdf/assets.ts'
import type { DocumentStore } from './document-store.ts'
import { createFindController, createFinder } from './find.ts'
import { bindGestures } from './gestures.ts'
import type { Pdfjs } from './note-file.ts'
import { loadFile, type PrefetchedRange } from './note-file.ts'
import { injectOcrText } from './ocr-text.ts'
import { adoptViewerStyles } from './viewer-styles.ts'

type ReaderStatus = {
  noteId: string
  first: FilePart
  ahead: PrefetchedRange[]
  worker: Worker
  /** The scroll container; `pages` in it contains the pages. */
  container: HTMLDivElement
  pages: HTMLDivElement
  store: DocumentStore
  /** The page to open; limited to the last page. */
  page: number
  /** The file has been replaced and has to be opened again. */
  onChanged: () => void
}

export type OpenDocument = ReturnType<typeof openDocument>

/** Shows a file in `pages` and reports to `store` until it is closed. */
export function openDocument(
  modules: Pdfjs,
  { noteId, first, ahead, worker: port, container, pages, store, page, onChanged }: ReaderStatus,
) {
  const { pdfjs, viewer: components } = modules
  const aborter = new AbortController()
  const { signal } = aborter
  adoptViewerStyles(signal)
  pages.classList.add('pdfViewer')

  const bus = new components.EventBus()
  const links = new components.PDFLinkService({
    eventBus: bus,
    externalLinkTarget: components.LinkTarget.BLANK,
    externalLinkRel: 'noopener noreferrer nofollow',
    // Links keep the zoom that the student chose.
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
    // Forms and comments are drawn but cannot be edited, and no scripts run.
    annotationMode: pdfjs.AnnotationMode.ENABLE,
    annotationEditorMode: pdfjs.AnnotationEditorType.DISABLE,
    imageResourcesPath: `${pdfjsFolder}images/`,
    // An undocumented option, and the only way to remove the listeners on the window.
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
  const showUnreadable = () => {
    if (!signal.aborted) setState({ opening: { kind: 'unreadable', isLocked } })
  }
  loading.onPassword = (unlock: (password: string) => void, reason: number) => {
    isLocked = true
    const wasWrong = reason === pdfjs.PasswordResponses.INCORRECT_PASSWORD
    setState({ opening: { kind: 'locked', wasWrong, unlock, cancel: showUnreadable } })
  }

  bus.on('pagesinit', () => {
    for (let number = 1; number <= view.pagesCount; number++) namePage(view.getPageView(number - 1).div, number)
    view.currentScaleValue = container.clientWidth < narrowPx ? 'page-width' : 'auto'
    view.currentPageNumber = Math.min(page, view.pagesCount)
    setState({ opening: { kind: 'ready' }, page: view.currentPageNumber })
  })
  bus.on('textlayerrendered', ({ source }: { source: { textLayer: { div: HTMLElement } } }) => {
    // Removes an unnamed tab stop; text is selected with the pointer.
    source.textLayer.div.tabIndex = -1
  })
  bus.on(
    'pagerendered',
    () => {
      // In a task of its own, so that the page is painted before the other parts are rendered.
      setTimeout(() => signal.aborted || setState({ isPageDrawn: true }))
      // Without labels, pages are named by number.
      view.pdfDocument?.getPageLabels().then(
        (pageLabels) => signal.aborted || setState({ pageLabels }),
        () => {},
      )
    },
    { once: true },
  )
  bus.on('pagerender', ({ source }: PageEvent) => {
    // A page that is being redrawn at another size keeps its old image meanwhile.
    if (source.div.querySelector('canvas') === null) delete source.div.dataset.drawn
  })
  bus.on('pagerendered', ({ source }: PageEvent) => {
    source.div.dataset.drawn = 'true'
  })
  bus.on('pagechanging', ({ pageNumber }: { pageNumber: number }) => setState({ page: pageNumber }))
  bus.on('scalechanging', ({ scale, presetValue }: { scale: number; presetValue?: string }) =>
    setState({ scale, fit: readFit(presetValue) }),
  )
  bindGestures(modules, view, container, signal)
  refitOnResize(view, container, signal)

  loading.promise.then((document) => {
    if (signal.aborted) return
    injectOcrText(document, noteId)
    setState({ document, pageCount: document.numPages })
    links.setDocument(document)
    view.setDocument(document)
    // Some damage shows only in the first page.
    view.pagesPromise?.catch(() => store.getState().opening.kind === 'opening' && showUnreadable())
  }, showUnreadable)

  return {
    view,
    find: createFindController(modules, finder, bus, store),
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

/** Replaces the label of pdf.js, whose direction marks are read aloud by some screen readers. */
function namePage(page: HTMLElement, number: number): void {
  page.removeAttribute('data-l10n-id')
  page.setAttribute('aria-label', `Page ${number}`)
}

/** Below this width, pages initially fit the window. */
const narrowPx = 768

const readFit = (value: string | undefined) =>
  value === 'auto' || value === 'page-width' || value === 'page-fit' ? value : null

type View = InstanceType<Pdfjs['viewer']['PDFViewer']>

function refitOnResize(view: View, container: HTMLElement, signal: AbortSignal): void {
  const observer = new ResizeObserver(() => {
    // Removing the container is also reported as a resize.
    if (container.clientWidth === 0) return
    const fit = readFit(view.currentScaleValue ?? undefined)
    if (fit !== null) view.currentScaleValue = fit
    view.update()
  })
  observer.observe(container)
  signal.addEventListener('abort', () => observer.disconnect())
}
