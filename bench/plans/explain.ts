/** One statement as PostgreSQL ran it; of `blocks` of 8 kB, those it held already are counted too. */
export type Explained = { ms: number; blocks: number; tree: string }

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Subplan Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: Plan[]
}

/** An address whose connections are told the plan of each of their statements, in a notice. */
export function explainAll(databaseUrl: string): string {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
  }
  const url = new URL(databaseUrl)
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  url.searchParams.set('options', options.join(' '))
  return url.href
}

/** What a notice tells. Statements that read no table are nobody's business. */
export function readPlan(notice: string): Explained[] {
  const [, ms, json] = /^duration: ([\d.]+) ms {2}plan:\n(.*)$/s.exec(notice) ?? []
  if (!json) return []
  const { Plan: plan } = JSON.parse(json) as { Plan: Plan }
  if (!readsTables(plan)) return []
  const blocks = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
  return [{ ms: Number(ms), blocks, tree: draw(plan, 0).join('\n') }]
}

const readsTables = (plan: Plan): boolean =>
  plan['Relation Name'] !== undefined || plan['Index Name'] !== undefined || (plan.Plans ?? []).some(readsTables)

/** What never ran is left out, with all that is below it. */
function draw(plan: Plan, depth: number): string[] {
  const { 'Actual Rows': rows = 0, 'Actual Loops': loops = 0, 'Rows Removed by Filter': removed = 0 } = plan
  if (loops === 0) return []
  const what = [plan['Subplan Name'], plan['Node Type'], plan['Index Name'] ?? plan['Relation Name']]
  const found = `${Math.round(rows * loops).toLocaleString('en')} rows`
  const times = loops > 1 ? ` in ${loops.toLocaleString('en')} times` : ''
  const others = removed > 0 ? `, ${Math.round(removed * loops).toLocaleString('en')} others` : ''
  const line = `${'  '.repeat(depth)}${what.filter((part) => part !== undefined).join(' ')}: ${found}${times}${others}`
  return [line, ...(plan.Plans ?? []).flatMap((part) => draw(part, depth + 1))]
}
