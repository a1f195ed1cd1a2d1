/** What is used of `tesseract.js-core`, which comes without types. Functions that answer a number answer 0 for success. */
export type TesseractCore = (options: { print(line: string): void; printErr(line: string): void }) => Promise<{
  FS: { writeFile(path: string, data: Uint8Array): void }
  TessBaseAPI: new () => {
    Init(dataPath: null, languages: string, engine: number): number
    SetVariable(name: string, value: string): boolean
    /** Reads `/input`. */
    SetImageFile(exifOrientation: number, radians: number): number
    Recognize(monitor: null): number
    GetTSVText(page: number): string
    End(): void
  }
}>
