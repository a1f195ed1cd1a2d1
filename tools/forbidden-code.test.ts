import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const isTest = (file: string) => /\.test\.tsx?$|(^|\/)test\//.test(file)
const shipped = ['contract', 'server', 'web', 'bin', 'tools'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((file) => /\.(tsx?|js|html)$/.test(file) && !isTest(file)),
)

/** What no file that ships does; `but` names those that may, with the reason. */
const rules: { does: string; pattern: RegExp; within?: RegExp; but?: Record<string, string> }[] = [
  {
    does: 'makes code or markup of text',
    pattern:
      /\beval\(|new Function\(|\bsetTimeout\(\s*['"`]|dangerouslySetInnerHTML|\.(inner|outer)HTML\s*=|insertAdjacentHTML|document\.write\(|from 'node:vm'|node:v8|javascript:/,
    but: { 'server/pdf/collect-garbage.ts': 'to have memory collected, of a text of its own' },
  },
  { does: 'calls a shell', pattern: /\bexecSync\(|(?<!\.)\bexec\(\s*['"`]|shell:\s*true/ },
  {
    does: 'asks other servers',
    pattern: /\bfetch\(\s*['"`]https?:|\bhttps?\.(get|request)\(|axios|undici/,
    within: /^(server|web)\//,
  },
  {
    does: 'listens to messages of other windows',
    pattern: /(window|self|globalThis)\.(addEventListener\(\s*'message'|onmessage)|\.postMessage\([^)]*'\*'/,
    within: /^web\//,
  },
  {
    does: 'hinders pasting',
    pattern: /onPaste[^\n]*preventDefault|autoComplete="off"[^\n]*password/,
    within: /^web\//,
  },
  {
    does: 'takes what can be guessed for random',
    pattern: /Math\.random\(/,
    within: /^(server|contract)\//,
  },
  {
    does: 'uses weak or home-made cryptography',
    pattern: /createHash\('(md5|sha1|md4|ripemd)|createCipher\(|\b(aes|des)-\d+-(ecb|cbc)|RSA_PKCS1|createSign\(/i,
    within: /^(server|contract|tools)\//,
  },
  {
    does: 'holds a secret',
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY|AKIA[0-9A-Z]{16}|\bgh[pousr]_\w{36}|xox[bap]-\w{10}/,
  },
]

it('is looked for in what ships', () => {
  expect(shipped.length).toBeGreaterThan(400)
  for (const { pattern } of rules) expect(pattern.flags).not.toContain('g')
})

it.each(rules)('nothing $does', ({ pattern, within = /./, but = {} }) => {
  const found = shipped.filter((file) => within.test(file) && pattern.test(read(file)))
  expect(found).toEqual(Object.keys(but))
})
