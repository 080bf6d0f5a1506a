/**
 * What one compile may still spend on matching style rules and reading names, in steps. Shared by all its scopes: a page
 * can make either grow with the square of its size.
 */
export interface Work {
  left: number
}
