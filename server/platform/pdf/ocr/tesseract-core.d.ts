/** The used part of `tesseract.js-core`, which has no types. Functions that return a number return 0 for success. */
export type TesseractCore = (options: { print(line: string): void; printErr(line: string): void }) => Promise<{
  FS: { writeFile(path: string, data: Uint8Array): void }
  TessBaseAPI: new () => {
    Init(dataPath: null, languages: string, engine: number): number
    SetVariable(name: string, value: string): boolean
    /** Reads `/input`. */
    SetImageFile(exifOrientation: number, radians: number): number
    Recognize(monitor: null): number
    GetTSVText(page: number): string
  }
}>
