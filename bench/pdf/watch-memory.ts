import { readdirSync, readFileSync } from 'node:fs'

const pageBytes = 4096

/** The largest process that a process started, as Linux counts what is resident; elsewhere nothing is known. */
export function watchMemory(parent: number): { peakBytes(): number; stop(): void } {
  let peak = 0
  const timer = setInterval(() => {
    for (const child of childrenOf(parent)) peak = Math.max(peak, residentBytes(child))
  }, 25)
  return { peakBytes: () => peak || Number.NaN, stop: () => clearInterval(timer) }
}

function childrenOf(pid: number): string[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    return tasks.flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(/\s+/))
  } catch {
    return []
  }
}

function residentBytes(pid: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes
  } catch {
    return 0
  }
}
