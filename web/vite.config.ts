import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import postcss from 'postcss'
import { defineConfig, type Plugin } from 'vite'

const pdfjs = fileURLToPath(new URL('../node_modules/pdfjs-dist/', import.meta.url))
const pdfjsVersion: string = JSON.parse(readFileSync(join(pdfjs, 'package.json'), 'utf8')).version
const pdfjsFolder = `assets/pdfjs-${pdfjsVersion}/`

/** The pdf.js assets loaded on demand: character maps, fonts, decoders and annotation icons. */
const pdfjsAssets = ['cmaps', 'standard_fonts', 'wasm', 'web/images'].flatMap((folder) =>
  readdirSync(join(pdfjs, folder))
    .filter((name) => /(bcmap|pfb|ttf|_fallback\.js|^annotation-[\w-]+\.svg)$/.test(name))
    .map((name) => ({ from: join(pdfjs, folder, name), to: `${pdfjsFolder}${folder.replace('web/', '')}/${name}` })),
)

/** Serves the assets from a folder with the version in its name, so that browsers can cache them for long. */
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

/** Patches to pdf.js that reduce waiting; see docs/decisions/0021-reader-and-csp.md. */
type Change = { find: string; become: (found: string) => string }

const behindStream = '\r\nendstream\r\nendobj\r\n'

const workerChanges: Change[] = [
  {
    // In the page tree walk: before all children of a node are read, one after another.
    find: 'for (let last = kids.length - 1; last >= 0; last--) {',
    // A node with as many children as pages has the page at its index, unless that child is not a page.
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
    // Before a document is shown: pdf.js reads the last page to check the page count.
    find: 'await this.getPage(numPages - 1);',
    // The root node names the last page and the table has its offset, which is trusted.
    become: (found) => `
      const { toplevelPagesDict } = catalog;
      const kids = toplevelPagesDict.getRaw("Kids");
      const lastKid = Array.isArray(kids) && kids.length === numPages ? kids[numPages - 1] : null;
      const isInPlace = toplevelPagesDict.getRaw("Count") === numPages && lastKid instanceof Ref;
      if (isInPlace && !recoveryMode && this.xref.getEntry(lastKid.num)) return;
      ${found}`,
  },
  {
    // In reading a stream: pdf.js skips it to read its end marker, and loads it afterwards.
    find: 'stream.pos = startPos + length;',
    // Both are requested at the same time.
    become: (found) => `stream.ensureRange?.(startPos, startPos + length + ${behindStream.length});\n    ${found}`,
  },
]

const viewerChanges: Change[] = [
  {
    // In finding: the text of all pages is read in order from the first page.
    find: 'for (let i = 0, ii = this._linkService.pagesCount; i < ii; i++) {',
    // Starts at the current page, so that its matches are highlighted before all earlier pages are read.
    become: () => `
    for (let at = 0, ii = this._linkService.pagesCount, first = this._linkService.page - 1; at < ii; at++) {
      const i = (first + at) % ii;`,
  },
]

/**
 * In a scanned file, whose pages are far apart, unpatched pdf.js loads neighbouring chunks before the first page, and
 * each image in two steps.
 */
const changePdfjs: Plugin = {
  name: 'change-pdfjs',
  transform: {
    // The files themselves, not the module with the worker's address.
    filter: { id: /pdfjs-dist\/(?:legacy\/)?(build\/pdf\.worker|web\/pdf_viewer)\.mjs(?:\?worker_file.*)?$/ },
    handler(code, id) {
      let changed = code
      for (const { find, become } of id.includes('web/pdf_viewer') ? viewerChanges : workerChanges) {
        // A new version may have changed the code, and the patch has to be checked again.
        if (changed.split(find).length !== 2) this.error(`There is not one place with: ${find}`)
        changed = changed.replace(find, become)
      }
      return { code: changed, map: null }
    },
  },
}

/** The viewer styles that pages need. The others are for unused editors and collide with our class names. */
const ofPages = /^\.(pdfViewer|textLayer|annotationLayer|canvasWrapper)\b(?!.*loading)/s

/** Reduces the sheet of pdf.js to an eighth. */
const shortenViewerCss: Plugin = {
  name: 'shorten-viewer-css',
  enforce: 'pre',
  load: {
    filter: { id: /pdfjs-dist\/web\/pdf_viewer\.css\?raw$/ },
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
    // The minimum of pdf.js; also named in docs/operations.md.
    target: ['chrome125', 'edge125', 'firefox128', 'safari18'],
    outDir: '../dist/web',
    emptyOutDir: true,
    // Fonts and images stay files, because the CSP forbids data: fonts.
    assetsInlineLimit: 0,
    // One small sheet for all pages, with the same rule order everywhere.
    cssCodeSplit: false,
    rolldownOptions: {
      // Otherwise the build reads all 2,000 icons for the 70 in use, a fifth of its time.
      experimental: { lazyBarrel: true },
      output: {
        // Removes the names of the pages that share the chunk.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          // Every page needs two files: the libraries, which browsers cache over many versions of Lectern, and our own
          // code. Otherwise there would be eight, some of a few hundred bytes.
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules/ },
            { name: 'app', tags: ['$initial'] },
            // Visitors' pages check responses and forms, and load no code of users' pages for that.
            {
              name: 'schemas',
              test: /[\\/]node_modules[\\/]zod[\\/]|[\\/]packages[\\/]contract[\\/]/,
              minShareCount: 3,
            },
            // Otherwise shared code is one file per set of pages, 42 for `/browse`, which slows phones. Visitors' pages
            // come first, so that they do not load parts of the others.
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
