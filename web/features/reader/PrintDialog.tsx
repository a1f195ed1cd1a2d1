import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../../platform/ui/Button.tsx'
import { Dialog } from '../../platform/ui/Dialog.tsx'
import { ProgressBar } from '../../platform/ui/Loading.tsx'
import { formatCount } from '../notes/format.ts'
import './print-dialog.css'

const pointsPerInch = 72
const dotsPerInch = 150
/** Each page is an image of some hundred kilobytes, and all stay in memory until they are printed. */
const maxPages = 200

type Sheet = { url: string; width: number; height: number }

/**
 * Draws every page at print resolution, then opens the browser's print dialog. The viewer's pages have screen
 * resolution.
 */
export function PrintDialog({ document: pdf, onDone }: { document: PDFDocumentProxy; onDone: () => void }) {
  const [sheets, setSheets] = useState<Sheet[]>([])
  const [failedPage, setFailedPage] = useState<number | null>(null)
  const container = useRef<HTMLDivElement>(null)
  const finish = useEffectEvent(onDone)
  const isDrawn = sheets.length === pdf.numPages

  useEffect(() => {
    if (pdf.numPages > maxPages) return
    const aborter = new AbortController()
    const { signal } = aborter
    const urls: string[] = []
    async function drawAll() {
      for (let page = 1; page <= pdf.numPages; page++) {
        const sheet = await draw(pdf, page).catch(() => null)
        if (sheet === null) return signal.aborted || setFailedPage(page)
        urls.push(sheet.url)
        if (signal.aborted) return revoke(urls)
        setSheets((before) => [...before, sheet])
      }
    }
    void drawAll()
    return () => {
      aborter.abort()
      revoke(urls)
    }
  }, [pdf])

  useEffect(() => {
    if (!isDrawn) return
    const aborter = new AbortController()
    const pictures = [...(container.current?.querySelectorAll('img') ?? [])]
    void Promise.allSettled(pictures.map((picture) => picture.decode())).then(() => {
      if (aborter.signal.aborted) return
      // Not after `print()`, because some browsers return from it before the pages are printed.
      window.addEventListener('afterprint', () => finish(), { once: true, signal: aborter.signal })
      window.print()
    })
    return () => aborter.abort()
  }, [isDrawn])

  if (pdf.numPages > maxPages || failedPage !== null) {
    const reason =
      failedPage === null
        ? `This note has ${formatCount(pdf.numPages)} pages. You can print up to ${maxPages} pages here.`
        : `Couldn’t prepare page ${failedPage} for printing.`
    return (
      <Dialog
        open
        onClose={onDone}
        title="Can’t print this note here"
        description={<span role="alert">{reason} Download the note and print the file instead.</span>}
        footer={
          <Button variant="primary" onClick={onDone}>
            Close
          </Button>
        }
      />
    )
  }

  const [first] = sheets
  return (
    <>
      <Dialog
        open={!isDrawn}
        onClose={onDone}
        title="Preparing to print"
        description={`Page ${Math.min(sheets.length + 1, pdf.numPages)} of ${pdf.numPages}`}
        footer={<Button onClick={onDone}>Cancel</Button>}
      >
        <ProgressBar label="Preparing to print" value={sheets.length / pdf.numPages} />
      </Dialog>
      {first &&
        createPortal(
          <div ref={container} className="print-dialog-sheets">
            <style>{`@page { margin: 0; size: ${first.width}pt ${first.height}pt }`}</style>
            {sheets.map(({ url }) => (
              <img key={url} src={url} alt="" />
            ))}
          </div>,
          document.body,
        )}
    </>
  )
}

async function draw(pdf: PDFDocumentProxy, number: number): Promise<Sheet> {
  const page = await pdf.getPage(number)
  const { width, height } = page.getViewport({ scale: 1 })
  const viewport = page.getViewport({ scale: dotsPerInch / pointsPerInch })
  const canvas = document.createElement('canvas')
  canvas.width = viewport.width
  canvas.height = viewport.height
  await page.render({ canvas, viewport, intent: 'print' }).promise
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
  if (picture === null) throw new Error('The page is too large to be drawn')
  return { url: URL.createObjectURL(picture), width, height }
}

function revoke(urls: string[]): void {
  for (const url of urls) URL.revokeObjectURL(url)
}
