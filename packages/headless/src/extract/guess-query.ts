import type { TargetQuery } from '@domos/spec'

/**
 * Where a field that came without a query is looked for, by its name: microdata, test ids, ids and classes that bear the
 * name. A title is also the main heading, a link also the first link.
 */
export function guessQueries(name: string, format: string | undefined): readonly TargetQuery[] {
  const plain = name.replaceAll(/[^\w-]/g, '')
  if (plain === '') return []
  const dashed = plain
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
  const names = [...new Set([plain, dashed])]
  const css = names.map((each) =>
    [
      `[itemprop="${each}"]`,
      `[data-test="${each}"]`,
      `[data-testid="${each}"]`,
      `[id="${each}"]`,
      `[class~="${each}"]`,
    ].join(', '),
  )
  return [
    ...css.map((selector) => ({ css: selector })),
    ...(/^(title|name|headline)$/i.test(plain) ? [{ css: 'h1' }, { role: 'heading' }] : []),
    ...(/^(url|link|href)$/i.test(plain) || format === 'uri' ? [{ role: 'link' }] : []),
    ...(/^(image|picture|photo)$/i.test(plain) ? [{ role: 'image' }] : []),
  ]
}
