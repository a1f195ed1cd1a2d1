/** Words without meaning of their own, folded, by language, including question words that begin a search. */
const lists = {
  en: `a about above after again against all also am an and any are as at be because been before being below between both but by can
    could did do does doing dont down during each few for from further had has have having he her here hers him his how i if in into
    is it its just me more most my no nor not of off on once only or other our out over own same she should so some such than that
    the their them then there these they this those through to too under until up use used using versus very vs was we were what when where
    which while who whom whose why will with would you your explain define describe happen happens`,
  de: `ab aber als am an auch auf aus bei beim bin bis da damit dann das dass dem den denn der des die dies diese diesem diesen
    dieser dieses doch dort du durch ein eine einem einen einer eines er es euch fur gegen haben hat hatte ich ihm ihn ihr ihre im in
    ist ja kann kein keine man mehr mein mit muss nach nicht noch nun nur ob oder ohne sehr sein seine sich sie sind so soll um und
    uns unter vom von vor waren warum was weil welche welchem welchen welcher welches wenn wer wem wen werden wessen wie wieso wir
    wird wo wofur woher wohin wurde wurden zu zum zur uber zwischen darf durfen konnen funktioniert bedeutet`,
  fr: `a afin ai alors apres au aux avec avait c ce ces cet cette ceux chez combien comme comment d dans de des donc dont du elle
    elles en entre est et etait ete etes etre eu eux fait faut il ils j je l la le les leur leurs lors lui m ma mais me mes moi mon n ne
    nos notre nous on ont ou par parce pas peut plus pour pourquoi pres qu quand que quel quelle quelles quels qui quoi s sa sans se
    sera ses si soit son sont sous sur t ta te tes toi ton tous tout toute toutes tu un une utilise vers vos votre vous y quest`,
  es: `a al algo ante antes asi aunque bajo cada como con cual cuales cuando cuanto cuanta cuantos cuantas cuyo de del desde donde
    dos el ella ellas ellos en entre era eran es esa ese eso esta estaba estan este esto estos fue fueron ha hace hacia han hasta hay la
    las le les lo los mas me mi muy ni no nos o otra otro para pero por porque pueden puede que quien quienes se ser si sin sobre son su
    sus tambien te tiene tienen todo todos tu un una uno unos usa y ya significa funciona`,
}
export type Language = keyof typeof lists
export const languages = Object.keys(lists) as Language[]
export const stopWordsOf = Object.fromEntries(
  Object.entries(lists).map(([language, list]) => [language, new Set(list.split(/\s+/))]),
) as Record<Language, Set<string>>
export const stopWords: ReadonlySet<string> = new Set(Object.values(stopWordsOf).flatMap((words) => [...words]))

/** Words that begin a question, in any of the languages. */
export const questionWords: ReadonlySet<string> = new Set(
  `what when where which who whom whose why how was wann warum weshalb wieso wer wem wen wessen wie wo wofur woher wohin welche welcher
  welches welchen welchem qui que quoi quand quel quelle quels quelles comment pourquoi combien cual cuales cuando cuanto cuanta como
  donde quien quienes explain is are does do can est find calculate compute`.split(/\s+/),
)

/** Words at the beginning or end of a question that belong to the question, not to its topic. */
export const fillers: ReadonlySet<string> = new Set(
  `find calculate compute show give difference compare work works mean means stand stands signifie faire sert marche
  unterschied steht heisst diferencia sirve`.split(/\s+/),
)
