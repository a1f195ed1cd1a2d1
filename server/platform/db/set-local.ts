/** Settings of PostgreSQL by their names, for what is left of a transaction. Never anything that was typed. */
export type Settings = Record<string, string>

/**
 * Settings of the database role, since a transaction pooler keeps none of a connection. The embedded PostgreSQL starts with
 * them; docs/operations.md says how an operator sets them, and `doctor` compares them.
 */
export const roleSettings: Settings = {
  statement_timeout: '15s',
  idle_in_transaction_session_timeout: '15s',
  // Queries read little, and several workers or a compiler for one of them would take the processors from the others.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  // Indexes are in memory. By default PostgreSQL would rather read a whole table than look up 200 rows.
  random_page_cost: '1.1',
}

export const toSetLocal = (settings: Settings) =>
  Object.entries(settings)
    .map(([name, value]) => `SET LOCAL ${name} = '${value}'`)
    .join('; ')
