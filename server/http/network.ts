/**
 * The address that attempts are counted by. A provider gives each home at least a /64 network of IPv6 addresses, so
 * those count as one; an IPv4 address in IPv6 form is that address.
 */
export function networkOf(ip: string): string {
  const [address = ''] = ip.split('%', 1)
  if (!address.includes(':')) return address
  const ipv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (ipv4) return ipv4
  const [before = [], after = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
