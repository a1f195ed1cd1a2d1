import { version } from 'pdfjs-dist/package.json' with { type: 'json' }
import { expect, it } from 'vitest'

it('is of a version that makes no code of a file’s fonts (D9)', () => {
  // CVE-2024-4367: up to 4.1.392 a FontMatrix of a file was executed as code.
  const [major = 0, minor = 0] = version.split('.').map(Number)
  expect([major > 4 || (major === 4 && minor >= 2), version]).toEqual([true, version])
})
