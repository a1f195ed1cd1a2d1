/** The people of the demo library. The first is the one whose login is printed. */
export const studentNames = [
  'Mara Lindqvist',
  'Amara Okafor',
  'Nguyễn Thị Lan',
  'Mateo Fernández Ruiz',
  'Yuki Tanaka',
  'Fatima El Amrani',
  'Łukasz Wójcik',
  'Priya Raghavan',
  'Jonas Weber',
  'Zoë van den Berg',
  'Kwame Asante',
  'Camila Souza Lima',
  'Ahmed Hassan',
  'Siobhán O’Connor',
  'Wei Chen',
  'Elif Yıldız',
  'Tomáš Novák',
  'Aisha Mohammed',
  'Lucas Tremblay',
  'Min-jun Park',
  'Giulia Romano',
  'Dmytro Kovalenko',
  'Leilani Kahale',
  'Arjun Singh Gill',
  'Noor Khan',
  'Freya Sørensen',
  'Thabo Nkosi',
  'Sofía Castillo',
  'Ruth Abebe',
  'Oliver Hughes',
  'Ioana Popescu',
  '佐藤 美咲',
  'Hana Al-Masri',
  'Étienne Moreau',
  'Chiamaka Eze',
  'Björn Gunnarsson',
  'Tala Santos',
  'Niko Laine',
  'Deborah Cohen',
  'Ravi Jayawardena',
  'Αλέξανδρος Παππάς',
  'Grace Mutua',
  'Ivana Horvat',
  'Sione Tupou',
] as const

/** How they write their names where the Latin alphabet is expected. */
const latinNames: Record<string, string> = {
  '佐藤 美咲': 'Misaki Sato',
  'Αλέξανδρος Παππάς': 'Alexandros Pappas',
}
export const latinName = (name: string): string => latinNames[name] ?? name

const plainLetters: Record<string, string> = { ł: 'l', ø: 'o', ı: 'i', đ: 'd', ß: 'ss', æ: 'ae' }

/** `Łukasz Wójcik` has `lukasz.wojcik@student.example`; nobody receives mail there (RFC 2606). */
export function emailOf(name: string): string {
  const plain = latinName(name)
    .toLowerCase()
    .normalize('NFD')
    .replace(/[łøıđßæ]/g, (letter) => plainLetters[letter] ?? '')
    .replace(/[^a-z ]/g, '')
  const words = plain.split(' ')
  return `${[words[0], words.at(-1)].join('.')}@student.example`
}
