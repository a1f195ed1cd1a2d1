import './styles.css'

/** Resolves once what index.html has is on the screen, or soon where nothing is drawn: in a tab out of sight. */
const firstPaint = () =>
  new Promise<void>((resolve) => {
    new PerformanceObserver(() => resolve()).observe({ type: 'paint', buffered: true })
    setTimeout(resolve, 100)
  })

await firstPaint()
const { stackTraceLimit } = Error
// React keeps an error ready from the start. While a browser's tools are attached, Lighthouse's among them, each error
// made costs its place in the source: here a second parse of the whole of React, 40 ms on a laptop.
Error.stackTraceLimit = 0
const { start } = await import('./app.tsx')
Error.stackTraceLimit = stackTraceLimit
await start()
