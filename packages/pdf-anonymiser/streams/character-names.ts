// biome-ignore format: a list of words
const orderings = new Set([
  'Identity', 'UCS', 'GB1', 'CNS1', 'CNS2', 'Japan1', 'Japan2', 'Korea1', 'KR', 'Manga1',
])
/** The second half of the names of the character collections that readers know. */
export const isCollectionOrdering = (text: string) => orderings.has(text)

/** The character maps that readers bring along (ISO 32000-1, table 118, and older ones), without their direction. */
// biome-ignore format: a list of words
const directed = new Set([
  '78', '78-EUC', '78-RKSJ', '78ms-RKSJ', '83pv-RKSJ', '90ms-RKSJ', '90msp-RKSJ', '90pv-RKSJ', 'Add', 'Add-RKSJ', 'B5',
  'B5pc', 'CNS-EUC', 'CNS1', 'CNS2', 'ETHK-B5', 'ETen-B5', 'ETenms-B5', 'EUC', 'Ext', 'Ext-RKSJ', 'GB', 'GB-EUC', 'GBK',
  'GBK-EUC', 'GBK2K', 'GBKp-EUC', 'GBT', 'GBT-EUC', 'GBTpc-EUC', 'GBpc-EUC', 'HKdla-B5', 'HKdlb-B5', 'HKgccs-B5',
  'HKm314-B5', 'HKm471-B5', 'HKscs-B5', 'Identity', 'KSC', 'KSC-EUC', 'KSC-Johab', 'KSCms-UHC', 'KSCms-UHC-HW',
  'KSCpc-EUC', 'NWP', 'RKSJ', 'UniCNS-UCS2', 'UniCNS-UTF16', 'UniCNS-UTF32', 'UniCNS-UTF8', 'UniGB-UCS2', 'UniGB-UTF16',
  'UniGB-UTF32', 'UniGB-UTF8', 'UniJIS-UCS2', 'UniJIS-UCS2-HW', 'UniJIS-UTF16', 'UniJIS-UTF32', 'UniJIS-UTF8',
  'UniJIS2004-UTF16', 'UniJIS2004-UTF32', 'UniJIS2004-UTF8', 'UniJISPro-UCS2', 'UniJISPro-UCS2-HW', 'UniJISPro-UTF8',
  'UniJISX0213-UTF32', 'UniJISX02132004-UTF32', 'UniKS-UCS2', 'UniKS-UTF16', 'UniKS-UTF32', 'UniKS-UTF8',
])
const others = new Set(['H', 'V', 'Hankaku', 'Hiragana', 'Katakana', 'Roman', 'WP-Symbol'])

export function isPredefinedMap(name: string): boolean {
  if (others.has(name) || /^Adobe-(CNS1|GB1|Japan1|Korea1|KR)-(\d|UCS2)$/.test(name)) return true
  return /-[HV]$/.test(name) && directed.has(name.slice(0, -2))
}
