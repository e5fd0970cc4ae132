import type { ApprovalAnswer } from '../../shared/domain/approval'
import type { McpFormField } from '../../shared/domain/mcp'

/** Values of an elicitation's form, by name. */
export type FormValues = Readonly<Record<string, string | number | boolean | readonly string[]>>

const secretField = /pass(?:word|wd|phrase|code)|secret|token(?!s)|credential|\bpin\b|(?:^|[\s_-])key$|(?:api|access|private|signing|encryption|master|ssh)[\s_-]?key|apikey|密码|口令|密钥|令牌|凭证|凭据|验证码/iu
const secretMessage = /password|passphrase|(?:api|access|private|secret)[\s_-]?key|密码|口令|密钥/iu
/** A form that says not to give a secret asks for none: such a phrase is left out, to its own end. */
const warning = /(?:(?:do not|don['’]t|never|please avoid) (?:give|enter|type|send|share|use|include|provide|tell|put|paste)|(?:不要|请勿|切勿)(?:输入|填写|提供|提交|使用|告诉|粘贴))[^.;:!?()。；：！？（）\n]*/giu

/** Whether a form asks for what no server may ask for in this way: by its words, since nothing else is known. */
export function asksForSecret({ message, fields }: { readonly message: string; readonly fields: readonly McpFormField[] }): boolean {
  const words = (field: McpFormField): readonly string[] => [field.name.replace(/([a-z])([A-Z])/gu, '$1_$2'), field.title, field.description.replace(warning, '')]
  return fields.some((field) => words(field).some((text) => secretField.test(text))) || (fields.some((field) => field.kind === 'text') && secretMessage.test(message.replace(warning, '')))
}

/** What the person filled in, checked against the fields; null where it does not fit, or nothing was filled in that must be. */
export function valuesOf(answer: ApprovalAnswer, fields: readonly McpFormField[]): FormValues | null {
  if (answer.kind !== 'allow' && answer.kind !== 'edited') return null
  const given: Readonly<Record<string, unknown>> = answer.kind === 'edited' ? answer.args : {}
  const values: [string, FormValues[string]][] = []
  for (const field of fields) {
    const value = Object.hasOwn(given, field.name) ? given[field.name] : answer.kind === 'allow' ? field.initial : null
    if (value === null || value === undefined || value === '') {
      if (field.isRequired) return null
      continue
    }
    const checked = fitting(value, field)
    if (checked === null) return null
    values.push([field.name, checked])
  }
  return Object.fromEntries(values)
}

function fitting(value: unknown, field: McpFormField): FormValues[string] | null {
  const isOption = (one: unknown): one is string => typeof one === 'string' && field.options.some((option) => option.value === one)
  switch (field.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'choice':
      return isOption(value) ? value : null
    case 'choices':
      return Array.isArray(value) && value.every(isOption) ? value : null
    case 'integer':
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) && (field.kind === 'number' || Number.isInteger(value)) && isWithin(value, field) ? value : null
    case 'text':
      return typeof value === 'string' && isWithin(value.length, field) ? value : null
  }
}

function isWithin(size: number, { minimum, maximum }: McpFormField): boolean {
  return (minimum === null || size >= minimum) && (maximum === null || size <= maximum)
}
