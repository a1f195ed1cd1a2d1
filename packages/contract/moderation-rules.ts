/** The rules for notes, which reports and decisions refer to. */
export const rules = ['copyright', 'personal_data', 'exam', 'wrong_course', 'offence', 'other'] as const
export type Rule = (typeof rules)[number]

/** The names that users see. */
export const ruleNames: Record<Rule, string> = {
  copyright: 'Copyright',
  personal_data: 'Personal data',
  exam: 'Unreleased exam',
  wrong_course: 'Wrong course',
  offence: 'Spam or abuse',
  other: 'Something else',
}
