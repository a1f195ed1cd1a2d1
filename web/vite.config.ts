import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import postcss from 'postcss'
import { defineConfig, type Plugin } from 'vite'

const pdfjs = fileURLToPath(new URL('../node_modules/pdfjs-dist/', import.meta.url))
const pdfjsVersion: string = JSON.parse(readFileSync(join(pdfjs, 'package.json'), 'utf8')).version
const pdfjsFolder = `assets/pdfjs-${pdfjsVersion}/`

/** What pdf.js fetches only when a file needs it: character maps, fonts, codecs, the pictures of comments. */
const pdfjsAssets = ['cmaps', 'standard_fonts', 'wasm', 'web/images'].flatMap((folder) =>
  readdirSync(join(pdfjs, folder))
    .filter((name) => /(bcmap|pfb|ttf|_fallback\.js|^annotation-[\w-]+\.svg)$/.test(name))
    .map((name) => ({ from: join(pdfjs, folder, name), to: `${pdfjsFolder}${folder.replace('web/', '')}/${name}` })),
)

/** Puts them beside the other built files, in a folder that has the version in its name: browsers keep them for long. */
const servePdfjsAssets: Plugin = {
  name: 'pdfjs-assets',
  generateBundle() {
    for (const { from, to } of pdfjsAssets) {
      this.emitFile({ type: 'asset', fileName: to, source: readFileSync(from) })
    }
  },
  configureServer({ middlewares }) {
    middlewares.use((request, response, next) => {
      const asset = pdfjsAssets.find(({ to }) => request.url === `/${to}`)
      if (asset === undefined) return next()
      if (asset.to.endsWith('.js')) response.setHeader('content-type', 'text/javascript')
      createReadStream(asset.from).pipe(response)
    })
  },
}

/** What some lines of pdf.js become, so that less is waited for; see docs/decisions/0021-reader-and-csp.md. */
type Change = { find: string; become: (found: string) => string }

const behindStream = '\r\nendstream\r\nendobj\r\n'

const workerChanges: Change[] = [
  {
    // In the walk through the tree of pages: just before all pages of a node are looked at, one after another.
    find: 'for (let last = kids.length - 1; last >= 0; last--) {',
    // A node with as many children as pages has the page wanted at its place, unless that turns out to be no page.
    become: (found) => `
      const inPlace = kids[pageIndex - currentPageIndex];
      if (count === kids.length && inPlace instanceof Ref) {
        const page = await xref.fetchAsync(inPlace);
        if (page instanceof Dict && isName(page.getRaw("Type"), "Page") && !page.has("Kids")) {
          pageIndexCache.put(inPlace, pageIndex);
          return [page, inPlace];
        }
      }
      ${found}`,
  },
  {
    // Before a document is shown: its last page is read, to see whether there are as many as it says.
    find: 'await this.getPage(numPages - 1);',
    // The same node names the last page, and the file's table says where it is: that is believed.
    become: (found) => `
      const { toplevelPagesDict } = catalog;
      const kids = toplevelPagesDict.getRaw("Kids");
      const lastKid = Array.isArray(kids) && kids.length === numPages ? kids[numPages - 1] : null;
      const isInPlace = toplevelPagesDict.getRaw("Count") === numPages && lastKid instanceof Ref;
      if (isInPlace && !recoveryMode && this.xref.getEntry(lastKid.num)) return;
      ${found}`,
  },
  {
    // In reading a stream: it is left out to see what stands behind it, and asked for after that.
    find: 'stream.pos = startPos + length;',
    // Both are asked for at once.
    become: (found) => `stream.ensureRange?.(startPos, startPos + length + ${behindStream.length});\n    ${found}`,
  },
]

const viewerChanges: Change[] = [
  {
    // In finding: the text of all pages is read one after another, from the first page on.
    find: 'for (let i = 0, ii = this._linkService.pagesCount; i < ii; i++) {',
    // From the page on display on: the hits on a far page are marked before all pages before it are read.
    become: () => `
    for (let at = 0, ii = this._linkService.pagesCount, first = this._linkService.page - 1; at < ii; at++) {
      const i = (first + at) % ii;`,
  },
]

/**
 * Of a file of scans, whose pages lie far apart, pdf.js would fetch chunks beside each page before it shows the first, and
 * each picture in two steps.
 */
const changePdfjs: Plugin = {
  name: 'change-pdfjs',
  transform: {
    // The files themselves, not what names the worker's address.
    filter: { id: /pdfjs-dist\/legacy\/(build\/pdf\.worker|web\/pdf_viewer)\.mjs(?:\?worker_file.*)?$/ },
    handler(code, id) {
      let changed = code
      for (const { find, become } of id.includes('web/pdf_viewer') ? viewerChanges : workerChanges) {
        // Another version may look another way: then this has to be looked at again.
        if (changed.split(find).length !== 2) this.error(`There is not one place with: ${find}`)
        changed = changed.replace(find, become)
      }
      return { code: changed, map: null }
    },
  },
}

/** What of the viewer's sheet pages wear. The rest is for editors that the reader has not, with names that we use. */
const ofPages = /^\.(pdfViewer|textLayer|annotationLayer|canvasWrapper)\b(?!.*loading)/s

/** An eighth of the sheet of pdf.js. */
const shortenViewerCss: Plugin = {
  name: 'shorten-viewer-css',
  enforce: 'pre',
  load: {
    filter: { id: /pdfjs-dist\/legacy\/web\/pdf_viewer\.css\?raw$/ },
    handler(id) {
      const sheet = postcss.parse(readFileSync(id.replace(/\?raw$/, ''), 'utf8'))
      for (const node of [...sheet.nodes]) {
        if (node.type !== 'rule' || !ofPages.test(node.selector)) node.remove()
      }
      return `export default ${JSON.stringify(sheet.toString())}`
    },
  },
}

// biome-ignore lint/style/noDefaultExport: Vite reads its configuration from the default export
export default defineConfig({
  plugins: [react(), servePdfjsAssets, changePdfjs, shortenViewerCss],
  worker: { format: 'es', plugins: () => [changePdfjs] },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Fonts and pictures stay files of their own: the pages' security policy allows no data: fonts.
    assetsInlineLimit: 0,
    // One sheet for all pages: it is small, and in one order everywhere.
    cssCodeSplit: false,
    rolldownOptions: {
      // Otherwise all 2,000 icons are read for the 70 that are used, which is a fifth of the time of a build.
      experimental: { lazyBarrel: true },
      output: {
        // Not the names of all pages that share a part.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          // What every page needs is two files: the libraries, which a browser keeps over many versions of Lectern, and
          // our own code. Without this it would be eight, some of a few hundred bytes.
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules/ },
            { name: 'app', tags: ['$initial'] },
            // What pages share would be a file for every set of pages, 42 of them for `/browse`, for each of which a phone
            // pays. Visitors' pages come first, so that they are not given parts of the others'.
            { name: 'landing', test: /[\\/]web[\\/]features[\\/]home[\\/]Landing\.tsx$/, entriesAware: true },
            { name: 'accounts', test: /[\\/]web[\\/]features[\\/]auth[\\/]/, minShareCount: 3 },
            { name: 'queries', test: /[\\/]@tanstack[\\/]/ },
            { name: 'notes', test: /[\\/]web[\\/]features[\\/](?:notes|reader|search)[\\/]/, minShareCount: 3 },
          ],
        },
      },
    },
  },
})
