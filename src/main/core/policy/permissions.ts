import type { Grant, Rule } from '../../../shared/domain/rule'

/** A rule or a grant that has not ended. */
export type LivePermission = { readonly by: 'rule'; readonly rule: Rule } | { readonly by: 'grant'; readonly grant: Grant }
