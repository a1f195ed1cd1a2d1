import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * `node tools/fuzz.ts --seconds 60`: every endpoint of the contract with hostile input, for so long in all. It says its
 * seed, with which `--seed` sends the same again. `npm run test:full` does a short round of it.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } } })
const seconds = Number(values.seconds)
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)
if (!(seconds > 0) || !Number.isInteger(seed)) {
  process.stderr.write('node tools/fuzz.ts --seconds 60 [--seed 12345]\n')
  process.exit(2)
}

process.stdout.write(`Fuzzing for ${seconds} s with the seed ${seed}\n`)
const root = fileURLToPath(new URL('../', import.meta.url))
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const env = { ...process.env, FUZZ_SECONDS: String(seconds), FUZZ_SEED: String(seed) }
const child = spawn(process.execPath, [vitest, 'run', 'server/test/fuzz'], { cwd: root, env, stdio: 'inherit' })
child.on('close', (code) => {
  process.stdout.write(`With the same again: node tools/fuzz.ts --seconds ${seconds} --seed ${seed}\n`)
  process.exitCode = code ?? 1
})
