import url from 'pdfjs-dist/legacy/build/pdf.worker.mjs?worker&url'

type ScriptPolicy = { createScriptURL: (text: string) => string | null }
type TrustedTypes = { createPolicy: (name: 'default', policy: ScriptPolicy) => unknown }

const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes

// The server's policy lets no text become script or markup. This is the one script that is named by an address.
trustedTypes?.createPolicy('default', {
  createScriptURL: (text) => (new URL(text, location.href).href === new URL(url, location.href).href ? text : null),
})

/** Where the half of pdf.js is that reads files. */
export const workerUrl = url
