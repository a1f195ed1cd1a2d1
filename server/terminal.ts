/** What a log of JSON lines is read by gets those alone, at the start and the end as well. */
export const isProduction = process.env.NODE_ENV === 'production'
const asLine = (level: number, text: string) => JSON.stringify({ level, time: Date.now(), msg: text.trim() })

/** Prints for the person at the terminal; everything else goes through the log. */
export const say = (text: string) => process.stdout.write(`${isProduction ? asLine(30, text) : text}\n`)
export const complain = (text: string) => process.stderr.write(`${isProduction ? asLine(60, text) : text}\n`)
