/** `F1`, `TT0`, `Helv`, `C2_0`: what programs call things. A few letters and numbers, and not what stands here for others. */
const usual = /^(?!Rn)[A-Za-z]{0,4}[\d_.+-]*$/
// biome-ignore format: a list of words
const builtIn = new Set([
  'CalGray', 'CalRGB', 'DefaultCMYK', 'DefaultGray', 'DefaultRGB', 'DeviceCMYK', 'DeviceGray', 'DeviceRGB', 'Pattern',
])

/**
 * The names by which page descriptions call fonts, pictures, colours and the like. They mean nothing outside the file, but
 * whoever wrote it was free to choose them, so that any unusual one is replaced: by the same one wherever it stands.
 */
export class ResourceNames {
  private readonly replaced = new Map<string, string>()

  replace(name: string): string {
    if (usual.test(name) || builtIn.has(name)) return name
    const known = this.replaced.get(name) ?? `Rn${this.replaced.size + 1}`
    this.replaced.set(name, known)
    return known
  }
}
