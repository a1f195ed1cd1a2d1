import { BlockList, isIPv6 } from 'node:net'

/**
 * Returns the address that attempts are counted by: the /64 network of an IPv6 address, because a provider gives each
 * home at least one, and the plain form of an IPv4 address in IPv6 form.
 */
export function getIpKey(ip: string): string {
  const [address = ''] = ip.split('%', 1)
  if (!address.includes(':')) return address
  const ipv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (ipv4) return ipv4
  const [before = [], after = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** Returns whether a connection comes from a proxy named in TRUST_PROXY, whose headers the server trusts. */
export type IsTrusted = (address: string | undefined) => boolean

/** @param ranges addresses or CIDR ranges. */
export function createProxyCheck(ranges: string[]): IsTrusted {
  const peers = toBlockList(ranges)
  return (address) => address !== undefined && holds(peers, address)
}

const toBlockList = (ranges: string[]): BlockList => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}

/** A dual-stack socket reports an IPv4 address as `::ffff:10.0.0.1`. */
function holds(list: BlockList, address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}

const ownNetworks = toBlockList([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '::1',
  'fc00::/7',
  'fe80::/10',
])

/** Returns whether an address is of this machine or a private network, and so identifies no student. */
export const isOwnNetwork = (address: string): boolean => holds(ownNetworks, address)
