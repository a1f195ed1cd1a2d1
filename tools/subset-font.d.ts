/** The package has no types of its own; this is the part of it that is used. */
declare module 'subset-font' {
  // biome-ignore lint/style/noDefaultExport: that is how the package exports it
  export default function subsetFont(
    font: Buffer,
    characters: string,
    options: { targetFormat: 'woff2' | 'sfnt'; variationAxes?: Record<string, { min: number; max: number }> },
  ): Promise<Buffer>
}
