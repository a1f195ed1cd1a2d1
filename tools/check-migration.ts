import { readOldestServer } from '../server/db/migrate.ts'

/** From here on migrations say whether servers that do not know them work beside them. */
const firstMarked = '0060'

/**
 * What is wrong with a migration for servers of the release before, which go on beside it while they are replaced one after the
 * other.
 */
export function findFaults(name: string, text: string): string[] {
  if (name < firstMarked) return []
  const oldest = readOldestServer(text)
  if (oldest === undefined) {
    return [
      `${name} begins with none of "-- Older servers: any", "-- Older servers: from 0.2.0, which …" (the release that stopped needing what goes) and "-- Older servers: none, since …".`,
    ]
  }
  // Who says from when on, or none, has thought about it.
  if (!/^-- Older servers: any\n/.test(text)) return []
  const statements = readStatements(text)
  const made = new Set(statements.flatMap((statement) => /^CREATE TABLE (\w+)/.exec(statement)?.[1] ?? []))
  const changed = new Set(statements.flatMap((statement) => /^ALTER TABLE (\w+)/.exec(statement)?.[1] ?? []))
  if ([...changed].filter((table) => !made.has(table)).length > 1) {
    return [
      `${name} changes several tables: who has one and waits for another meets requests that do. Make it several migrations.`,
    ]
  }
  return statements.filter((statement) => !isAddition(statement, made)).map((statement) => `${name}: ${statement}`)
}

/** Without comments, texts and bodies of functions, which say nothing about the shape. */
function readStatements(text: string): string[] {
  return text
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/(\$\w*\$)[\s\S]*?\1/g, "''")
    .replaceAll(/'[^']*'/g, "''")
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean)
}

/** Whether servers that know nothing of it read and write as before, without waiting for it. */
function isAddition(statement: string, made: Set<string>): boolean {
  // A server that does not know of the row would be refused to delete what that refers to.
  const references = [...statement.matchAll(/REFERENCES (\w+)(?: ?\([^)]*\))?( ON DELETE (?:CASCADE|SET NULL))?/g)]
  if (references.some(([, table = '', onDelete]) => !made.has(table) && !onDelete)) return false
  if (/^(CREATE TABLE|CREATE FUNCTION|COMMENT ON) /.test(statement)) return true
  const [, table = ''] =
    /^(?:ALTER TABLE|INSERT INTO|CREATE (?:UNIQUE )?INDEX \w+ ON|CREATE TRIGGER .* ON) (\w+)/.exec(statement) ?? []
  if (made.has(table)) return true
  const [, columns] = /^ALTER TABLE \w+ (ADD COLUMN .*)$/.exec(statement) ?? []
  return columns?.split(/, (?=[A-Z]+ )/).every(isFreeColumn) ?? false
}

/** One that who does not know it may leave out, in every row. */
const isFreeColumn = (column: string): boolean =>
  column.startsWith('ADD COLUMN ') &&
  !/ (UNIQUE|PRIMARY KEY)/.test(column) &&
  (!column.includes(' NOT NULL') || / (DEFAULT|GENERATED) /.test(column))
