import { isStrongPassword } from '../../contract/password-rules.ts'

/** How many common passwords are refused (DECISIONS: the most common that pass the strength rule). */
const refusedCount = 3_000

/**
 * The words, names and keyboard walks at the top of published lists of leaked passwords, the most common first.
 * Such lists hold few passwords that pass the strength rule as they are; what people do to make them pass is always
 * the same, and is what `decorations` and `disguise` do.
 */
const bases = `
  password qwerty welcome admin letmein iloveyou abc qwertyuiop passw0rd monkey dragon sunshine princess football
  baseball master hello freedom whatever superman batman shadow michael jordan ashley jessica charlie summer winter
  spring autumn test changeme secret default login user root administrator student school university college teacher
  study access system computer internet google facebook asdfgh asdf zxcvbn zxcvbnm qazwsx qwe qaz asd aaa pass
  starwars pokemon minecraft spiderman harrypotter chocolate cookie flower lovely angel baby mustang hunter killer
  soccer basketball hockey liverpool chelsea arsenal barcelona ronaldo messi daniel david thomas robert jennifer
  michelle nicole andrew joshua matthew anthony william america london paris germany canada india january february
  march april june july august september october november december monday friday company office business service
  support manager security network windows microsoft apple samsung android orange purple yellow silver golden diamond
  tiger eagle phoenix thunder matrix ninja cheese banana pepper ginger buster maggie tigger snoopy`
  .trim()
  .split(/\s+/)

const decorations = `
  1! 123! 12! @123 123@ 1@ !1 1234! 123# #123 @1234 1234@ !123 !@#123 123!@# 12345! 2026! 2025! 2024! @2026 @2025 @2024
  2023! @2023 01! 1# 1$ 1. @1 !23 1!1! 123$ 123. 123* 12345@ @12345 2022! 2021! 2020! @2022 @2021 @2020 69! 007! 99! 11!
  22! 1234# 1234$ 321! 1!2@ 1!2@3# 1* #1 $1 *123 $123 .123 _123 123_ -123 2026@ 2025@ 2024@ 2026# 2025# 2024# 1!! 123!!
  10! 13! 21! 23! 77! 88! 100! 101! 111! 123456! 123456@ @123456 789! 666! 777! 2019! 2018! 2000! 1999! !2026 !2025 !2024`
  .trim()
  .split(/\s+/)

/** The usual letters for the usual signs: `Password` becomes `P@ssw0rd`. */
const disguise = (word: string) => word.replace(/a/g, '@').replace(/o/g, '0')

const capitalise = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

function listCommonPasswords(): Set<string> {
  const ranked: { password: string; rank: number }[] = []
  for (const [baseRank, base] of bases.entries()) {
    const words = [capitalise(base), capitalise(disguise(base)), base.toUpperCase()]
    for (const [decorationRank, decoration] of decorations.entries()) {
      for (const [formRank, word] of words.entries()) {
        // Common bases and common decorations come first, whichever way round.
        ranked.push({ password: word + decoration, rank: (baseRank + 2) * (decorationRank + 2) * (formRank + 1) })
      }
    }
  }
  ranked.sort((one, other) => one.rank - other.rank)
  const common = new Set([
    'Qwerty123!@#',
    '1qaz@WSX3edc',
    '1Qaz2wsx3edc!',
    '!QAZ2wsx3edc',
    'Qwertyuiop1!',
    'Abcd@12345',
  ])
  for (const { password } of ranked) {
    if (common.size === refusedCount) break
    if (isStrongPassword(password)) common.add(password)
  }
  // Capitals are guessed together with the word.
  return new Set([...common].map((password) => password.toLowerCase()))
}

const commonPasswords = listCommonPasswords()

export const isCommonPassword = (password: string): boolean => commonPasswords.has(password.toLowerCase())
