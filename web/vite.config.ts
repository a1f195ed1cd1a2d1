import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { firstParts } from './first-parts.ts'

const compressible = /\.(html|js|css|svg|webmanifest|json|txt)$/

/** Writes a .br and a .gz beside each text file of the build, so that the server never compresses while serving. */
function precompress(): Plugin {
  let outDir = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    async closeBundle() {
      const names = await readdir(outDir, { recursive: true })
      await Promise.all(
        names
          .filter((name) => compressible.test(name))
          .map(async (name) => {
            const path = join(outDir, name)
            const bytes = await readFile(path)
            const brotli = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }
            await Promise.all([
              writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, brotli)),
              writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 })),
            ])
          }),
      )
    },
  }
}

/** The files of a build that `module`, a path in this folder, begins with: its own and all that this imports at once. */
function partsOf(bundle: Rolldown.OutputBundle, module: string): string[] {
  const path = join(import.meta.dirname, module)
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const chunk = chunks.find((file) => file.moduleIds.includes(path))
  if (chunk === undefined) throw new Error(`${module} is not in the build`)
  const found = new Set<string>()
  const add = (name: string) => {
    const part = bundle[name]
    if (part?.type !== 'chunk' || found.has(name)) return
    found.add(name)
    for (const imported of part.imports) add(imported)
  }
  add(chunk.fileName)
  return [...found]
}

/** Asks for the scripts and the two fonts that every page needs together with the style sheet instead of after it. */
function preload(): Plugin {
  return {
    name: 'preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const already = partsOf(bundle, 'main.ts')
        const scripts = partsOf(bundle, 'app.tsx').filter((name) => !already.includes(name))
        const fonts = Object.keys(bundle).filter((name) => /-latin-(?!ext)[^/]*\.woff2$/.test(name))
        return [
          ...scripts.map((name) => ({ rel: 'modulepreload', href: `/${name}`, crossorigin: true })),
          ...fonts.map((name) => ({
            rel: 'preload',
            as: 'font',
            type: 'font/woff2',
            href: `/${name}`,
            crossorigin: true,
          })),
        ].map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' }))
      },
    },
  }
}

/**
 * Makes one small script of theme.js and the list of parts each page begins with, so that a page's own part comes
 * together with the entry instead of after it. The script blocks the first paint, as the theme has to.
 */
function earlyScript(): Plugin {
  let fileName = ''
  return {
    name: 'early-script',
    apply: 'build',
    generateBundle: {
      order: 'pre',
      async handler(_options, bundle) {
        const empty = Object.values(bundle).find((file) => file.type === 'chunk' && file.moduleIds.length === 0)
        if (empty) throw new Error(`${empty.fileName} only leads to another part: see the groups of codeSplitting`)
        const already = [...partsOf(bundle, 'main.ts'), ...partsOf(bundle, 'app.tsx')]
        const parts = Object.entries(firstParts).map(([path, modules]) => {
          const names = new Set(modules.flatMap((module) => partsOf(bundle, module)))
          return [path, [...names].filter((name) => !already.includes(name))]
        })
        const theme = await readFile(join(import.meta.dirname, 'public/theme.js'), 'utf8')
        const source = `${theme}
for (const name of ${JSON.stringify(Object.fromEntries(parts))}[location.pathname] ?? []) {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = '/' + name
  document.head.append(link)
}
`
        fileName = this.getFileName(this.emitFile({ type: 'asset', name: 'early.js', source }))
      },
    },
    transformIndexHtml: { order: 'post', handler: (html) => html.replace('"/theme.js"', `"/${fileName}"`) },
  }
}

// biome-ignore lint/style/noDefaultExport: Vite reads its configuration from the default export
export default defineConfig({
  plugins: [react(), tailwindcss(), preload(), earlyScript(), precompress()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Fonts and pictures stay files of their own: the pages' security policy allows no data: fonts.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Small parts that pages share travel together: a request costs more than the few bytes not needed.
        codeSplitting: {
          includeDependenciesRecursively: false,
          // Nothing that is imported by `import()`: that would be of a part with nothing in it but the way to the group's,
          // a request more, and one that fails without a connection although everything is there.
          groups: [
            // Apart from our own code, so that a browser keeps them over many versions of Lectern.
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'router', test: /node_modules\/react-router\// },
            {
              name: 'common',
              test: /contract\/(endpoint|errors|limits|(accounts|sessions)\.endpoints)\.ts$|web\/(paths|api\/(activity|client|send)|session\/[\w-]+|layout\/SinglePage|notes\/(course-hue|sheet-drawing)|ui\/(Button|classes|Drawing|Skeleton|toast|when-idle))\.tsx?$|node_modules\/zustand\/|lucide-react\/dist\/esm\/(?!icons\/)|icons\/(loader-circle|search|trash)\.mjs$/,
            },
            {
              name: 'fields',
              test: /web\/ui\/\w*(Field|Checkbox)\.tsx$|icons\/(circle-exclamation-point|check|chevron-down|eye|eye-off)\.mjs$/,
            },
            {
              name: 'queries',
              test: /node_modules\/@tanstack\/|web\/api\/(config|query-client)\.ts$|contract\/operation(\.endpoints)?\.ts$/,
            },
            {
              name: 'schemas',
              test: /node_modules\/zod\/|contract\/(fields|(notes|profile|ratings|search)(\.endpoints)?)\.ts$/,
            },
            {
              name: 'notes',
              test: /web\/notes\/(?!(Browse|LikedNotes|MyNotes)Page|(Delete|Edit)NoteDialog|change-note)|web\/ui\/EmptyState\.tsx$|icons\/(pencil|thumbs-down|thumbs-up)\.mjs$/,
            },
          ],
        },
      },
    },
  },
})
