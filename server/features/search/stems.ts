import { type RawBuilder, sql } from 'kysely'

/** British and irregular forms that no rule covers, each followed by its replacement. */
const irregular = new Map(
  `programme program grey gray aluminium aluminum tyre tire plough plow cheque check mould mold sceptic skeptic sceptical skeptical
  scepticism skepticism judgement judgment ageing aging acknowledgement acknowledgment artefact artifact disc disk kerb curb
  manoeuvre maneuver manoeuvres maneuver draught draft jewellery jewelry enquiry inquiry grew grow mice mouse men man women woman
  children child feet foot teeth tooth geese goose people person matrices matrix vertices vertex indices index axes axis
  analyses analysis bases basis hypotheses hypothesis theses thesis crises crisis criteria criterion phenomena phenomenon
  bacteria bacterium nuclei nucleus fungi fungus alga algae spectra spectrum data datum media medium strata stratum
  equilibria equilibrium mitochondria mitochondrion automata automaton radii radius loci locus stimuli stimulus formulae formula
  minima minimum maxima maximum optima optimum extrema extremum quanta quantum momenta momentum vortices vortex helices helix
  appendices appendix schemata schema polyhedra polyhedron genera genus corpora corpus
  wrote write written write broke break broken break froze freeze frozen freeze fell fall fallen fall`
    .trim()
    .match(/\S+\s+\S+/g)
    ?.map((pair) => pair.split(/\s+/) as [string, string]),
)

/** Returns the spellings that stems are computed from: the American spelling, and German umlauts as plain vowels. */
export function spellingsForStem(word: string): { spelling: string; umlaut: string } {
  const spelling = (irregular.get(word) ?? word)
    .replace(/(?<=^.{0,20})(?:ae|oe)(?=.{3})/g, 'e')
    .replace(/ph/g, 'f')
    .replace(/(?<=[a-z]{3})our(?=$|s$|ed$|ing|ite|abl|al|ful|ist|hood|less)/, 'or')
    .replace(/(?<=[a-z]{3})is(?=(?:e|ed|es|ing|ation|ations|er|ers)$)/, 'iz')
    .replace(/(?<=[a-z]{2})ys(?=(?:e|ed|es|ing|er|ers)$)/, 'yz')
    .replace(/(?<=[a-z]{2}[bt])re(?=s?$)/, 'er')
    .replace(/ogue(?=s?$)/, 'og')
    .replace(/ense(?=s?$)/, 'ence')
    .replace(/ll(?=(?:ed|ing|er|ers|ation|or|ors|ment|s)?$)/, 'l')
  return { spelling, umlaut: word.replace(/([aou])e/g, '$1') }
}

/**
 * SQL for the stems of a word in the given languages (separated by spaces), each prefixed with the first letter of its
 * language.
 */
export const stemKeys = (
  spelling: RawBuilder<unknown>,
  umlaut: RawBuilder<unknown>,
  word: RawBuilder<unknown>,
  languages: RawBuilder<unknown>,
) => sql`
  ARRAY(SELECT DISTINCT left(language, 1) || coalesce(stem[1], word) FROM string_to_table(${languages}, ' ') AS language,
    LATERAL (SELECT CASE language WHEN 'en' THEN ${spelling} WHEN 'de' THEN ${umlaut} ELSE ${word} END) AS s (word),
    LATERAL (SELECT ts_lexize(CASE language WHEN 'en' THEN 'english_stem' WHEN 'de' THEN 'german_stem' WHEN 'fr' THEN 'french_stem'
      ELSE 'spanish_stem' END::regdictionary, s.word)) AS l (stem))`
