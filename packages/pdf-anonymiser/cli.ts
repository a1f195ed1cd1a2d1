#!/usr/bin/env node
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { makeAnonymousCopy, PdfRejectedError } from './anonymise.ts'

const usage = `Usage: pdf-anonymiser <in.pdf> <out.pdf> [--name "Ada Lovelace"] [--email ada@uni.example]

Writes a copy with the same pages and nothing that names its author. Names and email addresses
help to find the author in links, bookmarks and forms; both options can be repeated.
`

/** Search terms: each name and address as a whole, the part of an address before its @, and the words of a name. */
const termsOf = (names: string[], emails: string[]) => [
  ...names.flatMap((name) => [name, ...(name.match(/[\p{L}\p{N}]{2,}/gu) ?? [])]),
  ...emails.flatMap((email) => [email, email.replace(/@.*/, '')]),
]

async function run(): Promise<string> {
  const texts = { type: 'string', multiple: true, default: [] as string[] } as const
  const options = { name: texts, email: texts, help: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  if (values.help) return usage
  const [source = '', target = ''] = positionals
  if (positionals.length !== 2) throw new Error(usage)
  const { bytes, drawnPages, dropped } = await makeAnonymousCopy(new Uint8Array(await readFile(source)), {
    names: termsOf(values.name, values.email),
  })
  await writeFile(target, bytes, { flag: 'wx' })
  const images = drawnPages.length > 0 ? ` Pages that became images: ${drawnPages.join(', ')}.` : ''
  const links = dropped > 0 ? ` Links and form values removed because of a name: ${dropped}.` : ''
  return `Wrote ${target}.${images}${links}\n`
}

try {
  process.stdout.write(await run())
} catch (error) {
  const { message } = error as Error
  process.stderr.write(
    error instanceof PdfRejectedError ? `The file can't be anonymised: ${message}.\n` : `${message}\n`,
  )
  process.exitCode = 1
}
