import { createPdfWithText } from './pdf-kinds.ts'

export const onePagePdf = createPdfWithText('Notes')
