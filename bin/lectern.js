#!/usr/bin/env node
// Runs Lectern on the Node that came with it, whichever Node runs this. Plain JavaScript, for old ones too.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const isWindows = process.platform === 'win32'

function findNode() {
  const platform = isWindows ? 'win' : process.platform
  for (const prefix of ['node', 'node-bin']) {
    try {
      const manifest = require.resolve(`${prefix}-${platform}-${process.arch}/package.json`)
      return join(dirname(manifest), 'bin', isWindows ? 'node.exe' : 'node')
    } catch {
      // The other name, or none for this machine.
    }
  }
  return process.execPath
}

// A package has JavaScript made of the sources, which Node does not read below node_modules, in place of them.
const sources = fileURLToPath(new URL('../scripts/lectern.ts', import.meta.url))
const packed = fileURLToPath(new URL('../lib/scripts/lectern.js', import.meta.url))
const main = existsSync(sources) ? sources : packed

// Memory of what is soon garbage: V8 lets it grow to four times as much, and keeps it. See docs/performance.md.
const flags = ['--max-semi-space-size=8']
const [node, args] = [findNode(), [...flags, main, ...process.argv.slice(2)]]

if (process.execve && !isWindows) {
  // Its own Node takes the place of this one, which would take 50 MB to wait for it.
  process.execve(node, [node, ...args])
}

// It ends with this process however that ends, as under npm.
const child = spawn(node, [...args, `--end-with-parent=${process.pid}`], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGKILL'] ?? 0)))
