/** A search and the notes it should find: 3 is exactly what the student wants, 2 is good, 1 is marginal. */
export type JudgedQuery = {
  kind: string
  text: string
  /** Grades by the note's key in the library. Empty when nothing should be found. */
  wanted: Record<string, number>
  didYouMean?: string
}

const of = (kind: string, queries: [string, Record<string, number>, string?][]): JudgedQuery[] =>
  queries.map(([text, wanted, didYouMean]) => ({ kind, text, wanted, ...(didYouMean && { didYouMean }) }))

export const judgedQueries: JudgedQuery[] = [
  ...of('words of titles', [
    ['linear algebra', { linalg: 3, 'linalg-exam': 3 }],
    ['calculus', { calc1: 3, calc2: 3, fsharp: 1 }],
    ['graph theory', { graph: 3, theorie: 1 }],
    ['regression', { stats: 3, ml: 3 }],
    ['inflation', { macro: 3 }],
    ['series', { calc2: 3 }],
    ['waves', { waves: 3, em: 2 }],
    ['network', { net: 3, ml: 3 }],
    ['programming', { python: 3, c: 3, fsharp: 3, algo: 1 }],
    ['mechanics', { mech: 3, quantum: 3 }],
    ['logic', { logic: 3 }],
  ]),
  ...of('words of texts', [
    ['entropy', { thermo: 3, genchem: 1 }],
    ['dijkstra', { algo: 3, theorie: 2, net: 2 }],
    ['deadlock', { os: 3, db: 3 }],
    ['recursion', { python: 3, 'python-lab': 2 }],
    ['mitochondria', { cell: 3 }],
    ['kernel', { algebra: 3, 'linalg-exam': 3 }],
    ['polynomial', { linalg: 3, algebra: 3 }],
  ]),
  ...of('several words', [
    ['determinant matrix', { linalg: 3, 'linalg-exam': 3 }],
    ['binary search', { python: 3, algo: 3 }],
    ['nash equilibrium', { micro: 3 }],
    ['normal distribution', { prob: 3 }],
    ['mechanics lagrangian', { mech: 3 }],
  ]),
  ...of('singular and plural', [
    ['graphs', { graph: 3, algo: 2 }],
    ['eigenvalues', { linalg: 3, ode: 2, quantum: 2 }],
    ['eigenvalue', { linalg: 3, ode: 2, quantum: 2 }],
    ['derivative', { calc1: 3, calc2: 2, misc: 1 }],
    ['derivatives', { calc1: 3, calc2: 1, misc: 1 }],
  ]),
  ...of('beginnings of words', [
    ['thermo', { thermo: 3, genchem: 1 }],
    ['eigenv', { linalg: 3, ode: 2, quantum: 2, mech: 1 }],
    ['integr', { calc2: 3, ode: 2, mathe: 1 }],
    ['stat', { stats: 3 }],
  ]),
  ...of('course codes', [
    ['CSC108', { python: 3, 'python-lab': 3 }],
    ['csc 108', { python: 3, 'python-lab': 3 }],
    ['CSC-108', { python: 3, 'python-lab': 3 }],
    ['mat223', { linalg: 3, 'linalg-exam': 3 }],
    ['mat 137', { calc1: 3, misc: 2 }],
    ['MAT-138', { calc2: 3 }],
    ['psy 201', { stats: 3 }],
    ['csc 209 pointers', { c: 3, cpp: 3 }],
    ['phy254', { mech: 3, empty: 3 }],
    ['数学101', { jp: 3 }],
    ['мат110', { russian: 3 }],
    ['eco', { micro: 3, macro: 3 }],
  ]),
  ...of('instructors', [
    ['nunez', { linalg: 3, 'linalg-exam': 3 }],
    ['Núñez midterm', { 'linalg-exam': 3 }],
    ['lefevre', { calc1: 3, calc2: 3, poetry: 3 }],
    ['okonkwo algebra', {}],
    ['okonkwo rings', { algebra: 3 }],
    ['sorensen', { analysis: 3 }],
    ['luczak', { micro: 3, macro: 3 }],
    ['prof xu quantum', { quantum: 3 }],
    ['aydin', { algo: 3, graph: 3, ml: 3, turk: 3 }],
    ['weiss', { bgb: 3, mathe: 3 }],
  ]),
  ...of('misspelt words of titles', [
    ['linaer algebra', { linalg: 3, 'linalg-exam': 3 }],
    ['linear algbera', { linalg: 3, 'linalg-exam': 3 }],
    ['calclus', { calc1: 3, calc2: 3 }],
    ['calculuss', { calc1: 3, calc2: 3 }],
    ['thermodinamics', { thermo: 3 }],
    ['quantom', { quantum: 3 }],
    ['okonkow', { algebra: 3, thermo: 3 }],
    ['bergstorm', { mech: 3, waves: 3, empty: 3 }],
    ['micoreconomics', { micro: 3 }],
    ['statistcs', { stats: 3 }],
    ['psycology', { cogpsy: 3 }],
    ['algoritms', { algo: 3 }],
    ['organic chemsitry', { orgchem: 3 }],
    ['probabilty distributions', { prob: 3 }],
  ]),
  ...of('misspelt words of texts', [
    ['eigenvaleus', {}, 'eigenvalues'],
    ['revolutoin', { hist: 3 }],
  ]),
  ...of('German', [
    ['strasse', { bgb: 3 }],
    ['uebersicht', { bgb: 3 }],
    ['ubersicht', { bgb: 3 }],
    ['eigenwerte', { mathe: 3 }],
  ]),
  ...of('French, Spanish, Turkish and names', [
    ['theorie des graphes', { theorie: 3 }],
    ['Poesie', { poetry: 3 }],
    ['schrodinger', { quantum: 3 }],
    ['hopital', {}],
    ['lhopital', { calc1: 3 }],
    ['manana', { espanol: 3 }],
    ['istanbul', { turk: 3 }],
  ]),
  ...of('Greek, Cyrillic and Arabic', [
    ['σωκρατης', { greek: 3 }],
    ['линейная алгебра', { russian: 3 }],
    ['نيوتن', { arabic: 3 }],
  ]),
  ...of('Chinese, Japanese and Korean', [
    ['微分方程式', { jp: 3 }],
    ['方程式', { jp: 3 }],
    ['ラプラス', { jp: 3 }],
    ['特征值', { zh: 3 }],
    ['高微', {}],
    ['고유값', { ko: 3 }],
  ]),
  ...of('phrases', [
    ['"mean value theorem"', { calc1: 3, analysis: 3 }],
    ['"value theorem"', { calc1: 3, analysis: 3 }],
    ['"central limit theorem"', { prob: 3 }],
    ['"shortest path"', { algo: 3 }],
    ['"plus court chemin"', { theorie: 3 }],
    ['"binary search trees"', { algo: 3 }],
    ['"linear regression"', { stats: 3, ml: 3 }],
    ['"theorem value"', {}],
    ['"graph theory" matchings', { graph: 3 }],
  ]),
  ...of('signs and formulas', [
    ['C++', { cpp: 3, csharp: 1 }],
    ['c#', { csharp: 3 }],
    ['F#', { fsharp: 3 }],
    ['.net', { csharp: 3 }],
    ['x^2', { calc1: 3, calc2: 3 }],
    ['λ', { linalg: 3, fsharp: 3 }],
    ['%', { prob: 3, stats: 3, micro: 3, macro: 3 }],
    ['95%', { stats: 3 }],
    ['C', { c: 3, cpp: 1, csharp: 1 }],
    ['H2O', { genchem: 3 }],
    ['∇', { em: 3 }],
    ['§ 280', { bgb: 3 }],
    ['c++ templates', { cpp: 3 }],
    ['a priori', { philo: 3 }],
  ]),
  ...of('nothing fits', [
    ['asdfghjkl', {}],
    ['xyzzy plugh', {}],
    ['qqqq', {}],
    ["'; DROP TABLE notes; --", {}],
    ['zzz999', {}],
    ['linear algebra zyzzyva', {}],
  ]),
]

/** Kinds without a budget yet. A kind moves up once the search answers it. */
export const furtherQueries: JudgedQuery[] = [
  ...of('questions in English', [
    ['what is a deadlock', { os: 3, db: 3 }],
    ['how does a neuron fire?', { neuro: 3 }],
    ['when is a matrix invertible?', { linalg: 3 }],
    ['who stormed the Bastille', { hist: 3 }],
  ]),
  ...of('questions in other languages', [
    ['Was ist ein Eigenwert?', { mathe: 3 }],
    ['comment calculer le plus court chemin', { theorie: 3 }],
    ['¿Qué expresa el subjuntivo?', { espanol: 3 }],
  ]),
  ...of('British and American', [
    ['regularization', { ml: 3 }],
    ['diagonalize', { 'linalg-exam': 3 }],
    ['polarization of light', { waves: 3 }],
    ['four color theorem', { graph: 3 }],
  ]),
  ...of('inflected words', [
    ['integrate by parts', { calc2: 3 }],
    ['diffracted light', { waves: 3 }],
    ['unemployed', { macro: 3 }],
  ]),
  ...of('words cut by the end of a line', [
    ['derivative difference quotients', { calc1: 3 }],
    ['limit derivative', { calc1: 3 }],
  ]),
  ...of('excluded words', [
    ['regression -psychologists', { ml: 3 }],
    ['mechanics -quantum', { mech: 3 }],
    ['deadlock -database', { os: 3 }],
  ]),
  ...of('filters in the query', [
    ['course:csc369 deadlock', { os: 3 }],
    ['course:MAT223 determinant', { linalg: 3, 'linalg-exam': 3 }],
    ['year:2025-26 inflation', { macro: 3 }],
  ]),
  ...of('pasted sentences', [
    [
      'Prove that a matrix is invertible exactly when its determinant, the product of all eigenvalues, is not zero',
      { linalg: 3 },
    ],
    ['Explain how TCP congestion control reacts to lost packets and how routing with Bellman-Ford works', { net: 3 }],
  ]),
]
