import { containsName, type NameMatcher, noNames } from './names.ts'

/**
 * Matches usual resource names such as `F1`, `TT0`, `Helv` and `C2_0`: few letters, then numbers, and not a replacement
 * name.
 */
const usual = /^(?!Rn)[A-Za-z]{0,4}[\d_.+-]*$/
// biome-ignore format: a list of words
const builtIn = new Set([
  'CalGray', 'CalRGB', 'CMYK', 'DefaultCMYK', 'DefaultGray', 'DefaultRGB', 'DeviceCMYK', 'DeviceGray', 'DeviceRGB',
  'G', 'Pattern', 'RGB',
])

/** Replaces each name that is not neutral, in the same way in the whole file. */
abstract class NeutralNames {
  protected readonly replaced = new Map<string, string>()

  replace(name: string): string {
    if (this.isNeutral(name)) return name
    const known = this.replaced.get(name) ?? this.make(name, this.replaced.size + 1)
    this.replaced.set(name, known)
    return known
  }

  protected abstract isNeutral(name: string): boolean
  protected abstract make(name: string, count: number): string
}

/**
 * Resource names that content streams use for fonts, images, colours and so on. They have no meaning outside the file,
 * but the author's program chose them freely, so every unusual one is replaced.
 */
export class ResourceNames extends NeutralNames {
  private readonly names: NameMatcher

  constructor(names = noNames) {
    super()
    this.names = names
  }

  protected isNeutral = (name: string) => builtIn.has(name) || (usual.test(name) && !containsName(name, this.names))
  protected make = (_name: string, count: number) => `Rn${count}`
}

/** Readers know these inks or treat them specially. */
const knownInks = new Set(['All', 'None', 'Cyan', 'Magenta', 'Yellow', 'Black'])

export class InkNames extends NeutralNames {
  protected isNeutral = (name: string) => knownInks.has(name)
  protected make = (_name: string, count: number) => `Ink${count}`
}

/**
 * Readers know thousands of glyph names and extract text by them, so a glyph is renamed only if its name contains the
 * author's.
 */
export class GlyphNames extends NeutralNames {
  private readonly names: NameMatcher

  constructor(names: NameMatcher) {
    super()
    this.names = names
  }

  protected isNeutral = (name: string) => !containsName(name, this.names)
  protected make = (_name: string, count: number) => `glyph${count}`
}

/** Font families that readers use to substitute a font that is not embedded, and the families of TeX. */
const knownFamily =
  /^(?:Helvetica|Arial|Times|Courier|Symbol|ZapfDingbats|Wingdings|Webdings|Calibri|Cambria|Candara|Consolas|Constantia|Corbel|Georgia|Verdana|Tahoma|TrebuchetMS|ComicSansMS|Impact|Palatino|Bookman|Century|Garamond|Lucida|SegoeUI|Myriad|Minion|Liberation|DejaVu|Roboto|OpenSans|Noto|Lato|CM[A-Z]{1,5}\d|LM[A-Z]|MS[AB]M|SF[A-Z]{2}\d|EU[A-Z]{2}\d|SimSun|SimHei|MSGothic|MSMincho|MSPGothic|MSPMincho|Heisei|Koz|STSong|STKaiti|MSung|MHei|Adobe|Batang|Gulim|Dotum|MalgunGothic|MingLiU|PMingLiU|KaiTi|FangSong|MicrosoftYaHei)/
/**
 * What can follow a family name: style, encoding and size. No text matches in two ways, because a regular expression
 * would try all of them.
 */
const knownStyle =
  /^(?:[-,_ \d]|New|Roman|Narrow|Black|Unicode|Sans|Serif|Mono|[A-Z](?![a-z])|Pro|Std|Neue|Light|Semi|Demi|Extra|Ultra|Medium|Regular|Book|Bold|Italic|Oblique|Slanted|Condensed|Cond|Math|Text|Display|Caps|It|Obl|Schoolbook|Gothic|Linotype|Antiqua|Console|Typewriter|Handwriting|Bright|Fax|Song|Ming|Heiti|Myungjo|Min|Go|Kaku|Maru)*$/
/** More capital letters than an abbreviation has can be a name. */
const longCapitals = /[A-Z]{4}(?![a-z])/
const prefix = /^[A-Z]{6}\+/

export class FontNames extends NeutralNames {
  private readonly names: NameMatcher

  constructor(names: NameMatcher) {
    super()
    this.names = names
  }

  protected isNeutral = (name: string) => isKnown(name) && !containsName(name, this.names)
  /** The style in a name matters when a reader lacks the font. Subsets of one font need different names. */
  protected make = (name: string, count: number) => {
    const base = name.replace(prefix, '')
    const styles = [/black|heavy|bold|demi/i.test(base) && 'Bold', /italic|oblique|slanted/i.test(base) && 'Italic']
    const style = styles.filter(Boolean).join('')
    const neutral = this.isNeutral(base) ? base : `Font${count}${style && `-${style}`}`
    return prefix.test(name) ? `${lettersOf(count)}+${neutral}` : neutral
  }
}

function isKnown(name: string): boolean {
  const squeezed = name.replaceAll(' ', '')
  const [family] = knownFamily.exec(squeezed) ?? []
  if (family === undefined) return false
  const style = squeezed.slice(family.length)
  return knownStyle.test(style) && !longCapitals.test(style.replace(/PSMT|CJK/g, '-'))
}

/** Returns six letters, as many as a subset tag has: `AAAAAB` for 1. */
const lettersOf = (count: number) =>
  Array.from({ length: 6 }, (_, at) => String.fromCharCode(65 + (Math.floor(count / 26 ** (5 - at)) % 26))).join('')
