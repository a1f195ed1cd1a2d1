/** The rules for notes, which reports and decisions refer to. */
export const rules = ['copyright', 'personal_data', 'exam', 'wrong_course', 'offence', 'other'] as const
export type Rule = (typeof rules)[number]

/** The names that users see. */
export const ruleNames: Record<Rule, string> = {
  copyright: 'Copyright',
  personal_data: 'Personal data',
  exam: 'Exam under lock',
  wrong_course: 'Wrong course',
  offence: 'Spam or offence',
  other: 'Something else',
}
