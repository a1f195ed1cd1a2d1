/**
 * How often, of a value of each, the first is the larger one, ties half (Mann–Whitney): 0.5 where nothing tells them
 * apart, 0 or 1 where every pair does.
 */
export function areaUnderCurve(first: number[], second: number[]): number {
  const all = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ]
  all.sort((one, other) => one.value - other.value)
  let ranks = 0
  for (let from = 0; from < all.length; ) {
    let to = from
    while (to < all.length && all[to]?.value === all[from]?.value) to++
    const rankOfTies = (from + 1 + to) / 2
    ranks += rankOfTies * all.slice(from, to).filter(({ isFirst }) => isFirst).length
    from = to
  }
  return (ranks - (first.length * (first.length + 1)) / 2) / (first.length * second.length)
}
