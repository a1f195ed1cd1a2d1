import { describe, expect, it } from 'vitest'
import { createNameMatcher, mentionsAuthor } from './find-name.ts'

const found = (text: string, name = 'Zoë Marie Qänarywoman', email = 'z.qanary@uni.example') =>
  createNameMatcher({ name, email })(text).map(({ start, end }) => text.slice(start, end))

it('finds an address with any characters', () =>
  expect(found('ask z.q+a@uni.example, not zzqaa@uni.example', 'Zoë', 'z.q+a@uni.example')).toEqual([
    'z.q+a@uni.example',
  ]))

describe('a student’s name in a text', () => {
  it.each([
    ['by Zoë Marie Qänarywoman, 2026', 'Zoë Marie Qänarywoman'],
    ['ZOE QANARYWOMAN', 'ZOE QANARYWOMAN'],
    ['Qa\u0308narywoman, Zoe', 'Qa\u0308narywoman, Zoe'],
    ['Qänarywoman Zoë Marie', 'Qänarywoman Zoë Marie'],
    ['Zoë\nQänarywoman', 'Zoë\nQänarywoman'],
    ['Zoë Qänary\u00adwoman', 'Zoë Qänary\u00adwoman'],
    ['Zoë \u200e Qänarywoman', 'Zoë \u200e Qänarywoman'],
    ['Z. Qänarywoman', 'Z. Qänarywoman'],
    ['Z. M. Qänarywoman', 'Z. M. Qänarywoman'],
    ['Qänarywoman, Z.', 'Qänarywoman, Z'],
    ['mail z.qanary@uni.example', 'z.qanary@uni.example'],
    ['z.qanary on the forum', 'z.qanary'],
    ['Zoë Marie Qänarywoman’s notes', 'Zoë Marie Qänarywoman'],
    ['Zoë Marie said so', 'Zoë Marie'],
    ['zoeqanarywoman on the forum', 'zoeqanarywoman'],
    ['account zqanarywoman', 'zqanarywoman'],
  ])('%j names it', (text, hit) => expect(found(text)).toEqual([hit]))

  it.each([
    'Zoë alone',
    'the Qänarywoman theorem',
    'Marie Curie',
    'z. B. quantum',
    'Zoë is here. And so is Qänarywoman',
    '',
  ])('%j does not', (text) => expect(found(text)).toEqual([]))

  it('finds every place, a student number and a name of one word, but no short address', () => {
    expect(found('Zoë Qänarywoman and Z. Qänarywoman')).toHaveLength(2)
    expect(found('Student 1234567, hw 3', 'Mina', 's1234567@uni.example')).toEqual(['1234567'])
    expect(found('Mina did this, not Minamata', 'Mina', 's1@uni.example')).toEqual(['Mina'])
    expect(found('we see that mi is small', 'Mi Li', 'mi@uni.example')).toEqual([])
    expect(found('write to mi@uni.example', 'Mi Li', 'mi@uni.example')).toEqual(['mi@uni.example'])
  })
})

it.each([
  ['Limits, by Qänarywoman', true],
  ['limits of zoe', true],
  ['QANARY week 3', true],
  ['zoeqanarywoman-limits', true],
  ['Z is a set of numbers', false],
  ['Limits and series', false],
])('a title %j names a student: %j', (title, isNamed) => {
  expect(mentionsAuthor(title, { name: 'Zoë Marie Qänarywoman', email: 'z.qanary@uni.example' })).toBe(isNamed)
})

/** Each language has fifteen names, given name first unless the language writes the family name first. */
const names: Record<string, string> = {
  English:
    'Ada Lovelace, Sean O’Brien, Mary-Jane Watson, Oliver Smith, Amelia Jones, Harry Taylor, Emily Brown, George Wilson, Isla Evans, Jack Thomas, Poppy Roberts, Noah Walker, Ruby Wright, Leo Hughes, Grace Edwards',
  German:
    'Hans Müller, Jürgen Schröder, Anna Weiß, Lukas Wagner, Lena Hoffmann, Felix Schäfer, Katharina Koch, Jonas Richter, Mia Klein, Paul Wolf, Karl von Braun, Greta Neumann, Emil Schwarz, Ida Zimmermann, Max Krüger',
  Spanish:
    'María García López, Juan Carlos Pérez Ruiz, Lucía Fernández, Alejandro Gómez Díaz, Carmen Ruiz, Pablo Martín, Sofía de la Torre, Diego Moreno, Elena Álvarez, Javier Muñoz Ortega, Laura Romero, Sergio Navarro, Inés Domínguez, Raúl Vázquez, Marta Gil',
  French:
    'Jean-Luc Dupont, Chloé Lefèvre, Hélène Moreau, Antoine Girard, Camille Rousseau, Théo Blanc, Manon Guérin, Louis Faure, Inès Chevalier, Hugo Mercier, Léa Fontaine, Paul de Villiers, Zoé Perrin, Nathan Marchand, Élise Caron',
  Portuguese:
    'João da Silva, Ana Beatriz Santos, Pedro Oliveira, Inês Pereira, Tiago Costa, Mariana Rodrigues, Rui Almeida, Beatriz Carvalho, Miguel dos Santos, Sofia Teixeira, André Moreira, Catarina Correia, Diogo Nunes, Rita Monteiro, Paulo Cardoso',
  Italian:
    'Marco Rossi, Giulia Ferrari, Francesco Esposito, Chiara Bianchi, Matteo Ricci, Sara Marino, Luca De Luca, Martina Greco, Andrea Conti, Elisa Gallo, Davide Mancini, Alice Costa, Simone Barbieri, Federica Rinaldi, Paolo D’Angelo',
  Dutch:
    'Jan van der Berg, Sanne de Vries, Daan Jansen, Emma Bakker, Sem Visser, Lotte Smit, Bram Meijer, Fleur de Boer, Thijs Mulder, Anouk Bos, Lars Vos, Noor Peters, Ruben Hendriks, Eva Dekker, Pieter ten Brink',
  Swedish:
    'Åsa Lindström, Björn Bergström, Elsa Johansson, Oscar Nyström, Maja Sjögren, Nils Öberg, Astrid Forsberg, Axel Ekström, Ebba Hedlund, Gustav Åkesson, Klara Wallin, Hugo Sandberg, Freja Norén, Viktor Holm, Linnea Ström',
  Polish:
    'Jan Kowalski, Anna Nowak, Łukasz Wiśniewski, Zofia Wójcik, Piotr Kamiński, Magdalena Lewandowska, Tomasz Zieliński, Julia Szymańska, Marek Woźniak, Ewa Dąbrowska, Paweł Kozłowski, Agnieszka Jankowska, Adam Mazur, Natalia Krawczyk, Kacper Piotrowski',
  Czech:
    'Jan Novák, Eliška Dvořáková, Tomáš Černý, Tereza Procházková, Jakub Kučera, Anna Veselá, Matěj Horák, Adéla Němcová, Ondřej Marek, Karolína Pospíšilová, Vojtěch Král, Barbora Růžičková, Filip Beneš, Lucie Fialová, Martin Sedláček',
  Russian:
    'Иван Петров, Мария Иванова, Алексей Смирнов, Ольга Кузнецова, Дмитрий Соколов, Анна Попова, Сергей Лебедев, Елена Козлова, Никита Новиков, Татьяна Морозова, Павел Волков, Наталья Соловьёва, Андрей Васильев, Дарья Зайцева, Михаил Павлов',
  Greek:
    'Γιώργος Παπαδόπουλος, Μαρία Νικολάου, Δημήτρης Γεωργίου, Ελένη Ιωάννου, Νίκος Κωνσταντίνου, Σοφία Αντωνίου, Κώστας Δημητρίου, Άννα Βασιλείου, Γιάννης Χριστοδούλου, Κατερίνα Παπαδάκη, Παναγιώτης Οικονόμου, Αγγελική Μακρή, Θανάσης Καραγιάννης, Δέσποινα Σπανού, Σπύρος Αλεξίου',
  Turkish:
    'Mehmet Yılmaz, Ayşe Kaya, Mustafa Demir, Zeynep Çelik, Ahmet Şahin, Elif Yıldız, Emre Öztürk, Merve Aydın, Burak Özdemir, Selin Arslan, Can Doğan, İrem Kılıç, Ozan Çetin, Gül Kara, Ömer Koç',
  Finnish:
    'Matti Virtanen, Aino Korhonen, Juhani Mäkinen, Helmi Nieminen, Eero Hämäläinen, Sofia Laine, Oskari Heikkinen, Emilia Koskinen, Väinö Järvinen, Iida Lehtonen, Leevi Lehtinen, Venla Saarinen, Onni Salminen, Siiri Heinonen, Elias Niemi',
  Arabic:
    'أحمد علي, محمد حسن, فاطمة الزهراء, يوسف إبراهيم, مريم خليل, عمر فاروق, ليلى منصور, خالد سعيد, نور الدين, سارة محمود, حسين عباس, زينب كريم, طارق زياد, هدى شعراوي, سامي يوسف',
  Hebrew:
    'דוד כהן, שרה לוי, יוסף מזרחי, רחל פרץ, משה ביטון, מרים דהן, אברהם אברהם, נועה פרידמן, דניאל שפירא, תמר גולן, איתן ברק, יעל רוזן, אורי שגיא, מיכל אדלר, גיל שרון',
  Vietnamese:
    'Nguyễn Văn An, Trần Thị Bình, Lê Hoàng Nam, Phạm Minh Đức, Hoàng Thu Hà, Vũ Quốc Huy, Đặng Ngọc Lan, Bùi Thanh Tùng, Đỗ Mai Linh, Hồ Gia Bảo, Ngô Phương Thảo, Dương Tuấn Kiệt, Lý Khánh Vy, Phan Đình Phúc, Võ Hồng Nhung',
  Chinese: '王小明, 王明, 李娜, 张伟强, 刘洋, 陈静怡, 杨勇, 赵丽颖, 黄磊, 周杰伦, 吴敏霞, 徐静蕾, 孙俪, 马化腾, 朱一龙',
  Japanese:
    '佐藤 健, 鈴木 一郎, 高橋 美咲, 田中 陽菜, 伊藤 翔太, 渡辺 さくら, 山本 大輔, 中村 あおい, 小林 健太, 加藤 結衣, 吉田 拓海, 山田 花子, 佐々木 蓮, 山口 凛, 松本 ユウキ',
  Korean:
    '홍길동, 김민수, 이서연, 박지훈, 최유진, 정하은, 강도윤, 조수빈, 윤지우, 장예준, 임소율, 한지민, 오시우, 서은채, 이수',
}

/** What surrounds a name in languages that write it without spaces. */
const unspaced: Record<string, { before: string; after: string; ending: string; topic: string }> = {
  Chinese: { before: '这是由', after: '在去年冬天整理的', ending: '的笔记', topic: '说：' },
  Japanese: { before: 'これは', after: 'が昨年の冬にまとめた資料です', ending: 'のノート', topic: 'は' },
  Korean: { before: '이 자료는 ', after: '이 지난 겨울에 정리했습니다', ending: '의 노트', topic: '은' },
}

/** Returns ten kinds of sentence in which a name can occur on a page. */
function sentences(language: string, name: string, email: string): string[] {
  const parts = name.split(' ')
  const [first = '', rest] = [parts[0], parts.slice(1).join(' ')]
  const around = unspaced[language]
  if (around) {
    const joined = parts.join('')
    return [
      `${joined}${around.ending}`,
      `${around.before}${joined}${around.after}`,
      `${joined}${around.topic}`,
      `(${joined})`,
      `2026 ${joined} 3`,
      `${[...joined].join(' ')}`,
      `${joined.slice(0, 1)}\n${joined.slice(1)}`,
      `${around.before}${name}${around.after}`,
      `${joined}@Lectern`,
      `→ ${email} ←`,
    ]
  }
  const endings: Record<string, string> = {
    German: 's',
    Swedish: 's',
    Polish: 'a',
    Czech: 'a',
    Russian: 'а',
    Greek: 'ς',
    Turkish: '’ın',
    Finnish: 'n',
    English: '’s',
  }
  const prefix: Record<string, string> = { Arabic: 'ل', Hebrew: 'ל' }
  const ofTwo = parts.filter((part) => part.length > 3 || part === first)
  const long = ofTwo.length < 2 ? parts : ofTwo.slice(0, 2)
  return [
    `Notes: ${name}’s lecture notes, 2026.`,
    `Written by ${rest}, ${first} for week 3`,
    prefix[language] ? `${prefix[language]}${name} 3` : `Group 4: ${first[0]}. ${rest} (2026)`,
    `HOMEWORK 3\n${name.toUpperCase()}`,
    `by ${first}\n${rest}, page 1`,
    prefix[language] ? `«${name}»` : `${first} B. ${rest} proved it`,
    parts.length > 2 ? `${long.join(' ')} said` : `${name}, thank you`,
    `${first}_${parts.at(-1)}_hw3.pdf`.toLowerCase(),
    `(${name}${endings[language] ?? ''})`,
    `write to ${email}, please`,
  ]
}

const authors = Object.entries(names).flatMap(([language, list]) =>
  list.split(', ').map((name, at) => ({ language, name, email: `s${at}@uni.example` })),
)

it('finds 300 names of 20 languages in ten kinds of sentence, and takes no other name for them', () => {
  const [missed, mistaken]: [string[], string[]] = [[], []]
  for (const [at, author] of authors.entries()) {
    const find = createNameMatcher(author)
    for (const sentence of sentences(author.language, author.name, author.email)) {
      if (find(sentence).length === 0) missed.push(`${author.name}: ${sentence}`)
    }
    const other = authors[(at + 7) % authors.length]
    if (!other) throw new Error('There are no authors')
    for (const sentence of sentences(other.language, other.name, other.email)) {
      if (find(sentence).length > 0) mistaken.push(`${author.name}: ${sentence}`)
    }
  }
  expect(authors).toHaveLength(300)
  expect([missed.length <= 30, missed]).toEqual([true, missed])
  expect([mistaken.length <= 30, mistaken]).toEqual([true, mistaken])
})
