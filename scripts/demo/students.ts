/** The user whose login is printed. */
export const guest = 'Mara Lindqvist'
/** The users of the demo library. */
export const studentNames: string[] = `${guest},
Amara Okafor, Lê Thanh Hà, Mateo Fernández Ruiz, Yuki Tanaka, Fatima El Amrani, Łukasz Wójcik, Priya Raghavan,
Jonas Weber, Zoë van den Berg, Kwame Asante, Camila Souza Lima, Ahmed Hassan, Siobhán O’Connor, Wei Chen, Elif Yıldız,
Tomáš Novák, Aisha Mohammed, Lucas Tremblay, Min-jun Park, Giulia Romano, Dmytro Kovalenko, Leilani Kahale,
Arjun Singh Gill, Noor Khan, Freya Sørensen, Thabo Nkosi, Sofía Castillo, Ruth Abebe, Oliver Hughes, Ioana Popescu,
Misaki Sato, Hana Al-Masri, Étienne Moreau, Chiamaka Eze, Björn Gunnarsson, Tala Santos, Niko Laine, Deborah Cohen,
Ravi Jayawardena, Alexandros Pappas, Grace Mutua, Ivana Horvat, Sione Tupou`
  .split(',')
  .map((name) => name.trim())

const plainLetters: Record<string, string> = { ł: 'l', ø: 'o', ı: 'i' }

/** Returns `lukasz.wojcik@student.example` for `Łukasz Wójcik`; the domain receives no mail (RFC 2606). */
export function emailOf(name: string): string {
  const plain = name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[łøı]/g, (letter) => plainLetters[letter] ?? '')
    .replace(/[^a-z ]/g, '')
  const words = plain.split(' ')
  return `${words[0]}.${words.at(-1)}@student.example`
}
