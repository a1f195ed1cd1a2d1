import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'

// biome-ignore lint/style/noDefaultExport: Vite reads its configuration from the default export
export default defineConfig({
  plugins: [
    react(),
    // A .br and a .gz beside each text file, so that the server never compresses while serving.
    compression({ include: /\.(html|js|css|svg|webmanifest|txt)$/, threshold: 0, logLevel: 'silent' }),
  ],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Fonts and pictures stay files of their own: the pages' security policy allows no data: fonts.
    assetsInlineLimit: 0,
    // One sheet for all pages: it is small, and in one order everywhere.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What every page needs is two files: the libraries, which a browser keeps over many versions of Lectern, and
          // our own code. Without this it would be eight, some of a few hundred bytes.
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules/ },
            { name: 'app', tags: ['$initial'] },
          ],
        },
      },
    },
  },
})
