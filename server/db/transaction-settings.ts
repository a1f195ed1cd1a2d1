/** Settings of PostgreSQL by their names, for what is left of a transaction. Never anything that was typed. */
export type Settings = Record<string, string>

export const written = (settings: Settings) =>
  Object.entries(settings)
    .map(([name, value]) => `SET LOCAL ${name} = '${value}'`)
    .join('; ')
