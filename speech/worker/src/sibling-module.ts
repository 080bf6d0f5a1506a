/**
 * The address of a module beside `from`, given without its ending: `.ts` where sources run, `.js` where the build runs. The
 * compiler rewrites endings in imports, not in URLs.
 */
export function siblingModule(name: string, from: string): URL {
  return new URL(`${name}${from.endsWith('.ts') ? '.ts' : '.js'}`, from)
}
