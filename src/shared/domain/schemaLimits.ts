/**
 * What a provider takes of JSON Schema in a tool it is offered (R52). Data: sets of the catalogue, named by the quirk `schemaLimits` (R86).
 * The top of a schema is an object with `properties` and no combinations whatever stands here: no provider takes more.
 */
export interface SchemaLimits {
  /** Characters of a tool's description. */
  readonly maxDescription: number
  /** Characters of a description inside a schema. */
  readonly maxPropertyDescription: number
  /** Schemas below the top: a property of the top has depth 1. */
  readonly maxDepth: number
  /** Schemas in one tool, the top included. */
  readonly maxSchemas: number
  /** Characters of the schema as JSON. */
  readonly maxSize: number
  /** Values in one `enum`. */
  readonly maxEnum: number
  /** Keywords that are taken besides `type`, `description`, `properties`, `required` and `items`. */
  readonly keywords: readonly string[]
  /** Values of `format`; used only when `format` is among the keywords. */
  readonly formats: readonly string[]
  /** `type` may be a list. */
  readonly takesTypeArrays: boolean
  /** Every schema must have a `type`, one with `anyOf` excepted. */
  readonly needsType: boolean
  /** `enum` and `const` may hold only strings. */
  readonly enumsAreStrings: boolean
  /** `additionalProperties` may be a schema, not only true or false. */
  readonly takesMapValues: boolean
  /** A regular expression that the names of properties must match as a whole. */
  readonly propertyName: string
}
