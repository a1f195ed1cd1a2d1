import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
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

/** Asks for the two fonts every page needs together with the style sheet instead of after it. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => /-latin-(?!ext)[^/]*\.woff2$/.test(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: true },
            injectTo: 'head',
          })),
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
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const withImports = (name: string, found = new Set<string>()): Set<string> => {
          const chunk = bundle[name]
          if (chunk?.type !== 'chunk' || found.has(name)) return found
          found.add(name)
          for (const imported of chunk.imports) withImports(imported, found)
          return found
        }
        const entry = chunks.find((chunk) => chunk.isEntry)
        if (entry === undefined) throw new Error('The build has no entry')
        const already = withImports(entry.fileName)
        const parts: Record<string, string[]> = {}
        for (const [path, modules] of Object.entries(firstParts)) {
          const names = modules.flatMap((module) => {
            const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(join(import.meta.dirname, module)))
            if (chunk === undefined) throw new Error(`first-parts.ts names ${module}, which is not in the build`)
            return [...withImports(chunk.fileName)]
          })
          parts[path] = [...new Set(names)].filter((name) => !already.has(name))
        }
        const theme = await readFile(join(import.meta.dirname, 'public/theme.js'), 'utf8')
        const source = `${theme}
for (const name of ${JSON.stringify(parts)}[location.pathname] ?? []) {
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
  plugins: [react(), tailwindcss(), preloadFonts(), earlyScript(), precompress()],
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
          groups: [
            {
              name: 'fields',
              test: /web\/ui\/\w*(Field|Checkbox)\.tsx$|icons\/(circle-exclamation-point|check|chevron-down|eye|eye-off)\.mjs$/,
            },
            { name: 'queries', test: /node_modules\/@tanstack\/|web\/api\/(query-client|WithQueries|config)\.tsx?$/ },
            { name: 'schemas', test: /node_modules\/zod\/|contract\/(fields|notes|ratings|search|sessions)\.ts$/ },
          ],
        },
      },
    },
  },
})
