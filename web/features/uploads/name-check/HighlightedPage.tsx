import { useEffect, useRef, useState } from 'react'
import { drawNamedPage } from '../pdf/draw-named-page.ts'
import type { Author } from './find-name.ts'
import './highlighted-page.css'

type HighlightedPageProps = { file: File; page: number; author: Author }

/** Draws a page of a local file with the author's name highlighted. */
export function HighlightedPage({ file, page, author }: HighlightedPageProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'drawing' | 'drawn' | 'failed'>('drawing')
  useEffect(() => {
    let isWanted = true
    drawNamedPage(file, page, author).then(
      ({ canvas, top }) => {
        if (!isWanted || !frame.current) return
        frame.current.replaceChildren(canvas)
        frame.current.hidden = false
        const scroller = frame.current.parentElement
        scroller?.scrollTo({ top: top * canvas.clientHeight - scroller.clientHeight / 3 })
        setState('drawn')
      },
      () => isWanted && setState('failed'),
    )
    return () => {
      isWanted = false
    }
  }, [file, page, author])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <section className="marked-page" aria-label={`Page ${page}`} tabIndex={0}>
      <div ref={frame} role="img" aria-label={`Page ${page} with your name highlighted`} hidden={state !== 'drawn'} />
      {state === 'drawing' && <p>Loading page {page}…</p>}
      {state === 'failed' && <p>Couldn’t show page {page}.</p>}
    </section>
  )
}
