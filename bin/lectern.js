#!/usr/bin/env node
// Runs Lectern on its own Node version, whichever version runs this file, so it must work on old ones.
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
      // The other name, or no package for this machine.
    }
  }
  return process.execPath
}

// A package contains compiled JavaScript, because Node does not run TypeScript in node_modules.
const sources = fileURLToPath(new URL('../scripts/lectern.ts', import.meta.url))
const packed = fileURLToPath(new URL('../lib/scripts/lectern.js', import.meta.url))
const main = existsSync(sources) ? sources : packed

// Limits the memory of new objects, which V8 would let grow fourfold and keep. See docs/performance.md.
const flags = ['--max-semi-space-size=8']
const [node, args] = [findNode(), [...flags, main, ...process.argv.slice(2)]]

if (process.execve && !isWindows) {
  // Replaces this process, which would use 50 MB while it waits.
  process.execve(node, [node, ...args])
}

// The server ends with this process, also if this one is killed, as under npm.
const child = spawn(node, [...args, `--end-with-parent=${process.pid}`], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGKILL'] ?? 0)))
