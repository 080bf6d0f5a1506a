import fc from 'fast-check'

/** Words of several scripts, lengths and widths. */
export const words = fc.constantFrom(
  'Alpha',
  'beta',
  'Ümlaut',
  '新闻',
  '👍🏽',
  'Price $4.99',
  'a "b" <c>',
  'x'.repeat(90),
  'Read more',
)
const attribute = fc.constantFrom(
  '',
  ' class="btn primary"',
  ' id="x1"',
  ' title="Tip"',
  ' hidden',
  ' aria-label="Named"',
  ' style="display:none"',
  ' role="button"',
  ' role="tab" aria-selected="true"',
  ' aria-pressed="mixed"',
  ' tabindex="0"',
  ' data-testid="t"',
)
/** HTML of nested elements, well formed or not, with names, states, lists, tables and forms. */
export const html: fc.Arbitrary<string> = fc.letrec<{ node: string; list: string }>((tie) => ({
  list: fc.array(tie('node'), { maxLength: 5 }).map((parts) => parts.join(' ')),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    words,
    fc
      .tuple(
        fc.constantFrom(
          'a href="/p"',
          'a href="#"',
          'button',
          'p',
          'h2',
          'div',
          'span',
          'li',
          'ul',
          'ol',
          'nav',
          'main',
          'section',
          'article',
          'header',
          'form action="/s"',
          'label',
          'td',
          'tr',
          'table',
          'th',
          'details',
          'summary',
          'fieldset',
          'legend',
          'dialog open',
          'select',
          'option',
          'textarea',
          'strong',
        ),
        attribute,
        tie('list'),
      )
      .map(([tag, attributes, inner]) => `<${tag}${attributes}>${inner}</${tag.split(' ')[0]}>`),
    fc.constantFrom(
      '<input name=q value=v>',
      '<input type=checkbox checked>',
      '<input type=password value=pw>',
      '<br>',
      '<hr>',
      '<img src=/i/cat.png alt="A cat">',
      '<input type=radio name=r>',
      '<iframe src=/f></iframe>',
    ),
  ),
})).list
