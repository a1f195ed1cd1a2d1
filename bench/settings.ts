export const password = 'Marigold desk 42!'

/** What the bare server is told through its environment. */
export type BenchSettings = { databaseUrl: string; filesFolder: string; userId: string; email: string }

export function readBenchSettings(env: Record<string, string | undefined>): BenchSettings {
  return JSON.parse(env.BENCH_SETTINGS ?? '{}')
}
