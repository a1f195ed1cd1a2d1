import recentUrl from 'pdfjs-dist/build/pdf.worker.mjs?worker&url'
import legacyUrl from 'pdfjs-dist/legacy/build/pdf.worker.mjs?worker&url'
import { pickBuild } from './build.ts'

const url = pickBuild({ recent: recentUrl, legacy: legacyUrl })

type ScriptPolicy = { createScriptURL: (text: string) => string | null }
type TrustedTypes = { createPolicy: (name: 'default', policy: ScriptPolicy) => unknown }

const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes

// The CSP forbids script from strings (Trusted Types). This is the only script loaded by address.
trustedTypes?.createPolicy('default', {
  createScriptURL: (text) => (new URL(text, location.href).href === new URL(url, location.href).href ? text : null),
})

/** The pdf.js worker, which parses files. */
export const workerUrl = url
