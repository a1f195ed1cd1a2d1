import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/**
 * A command of ours or of a package, in the repository. Ctrl+C reaches it too; whoever called goes on when it has ended.
 * @returns whether it ended well.
 */
export async function runTests(env: Record<string, string>, command: string, ...args: string[]): Promise<boolean> {
  const PATH = `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH, ...env } })
  const pass = (signal: NodeJS.Signals) => void child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, pass)
  const code = await new Promise((resolve) => child.once('close', resolve))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, pass)
  return code === 0
}
