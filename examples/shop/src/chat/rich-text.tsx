import type { ReactNode } from 'react'

/** An answer as paragraphs, lists and bold words. Everything else stays text: an answer can make no link, image or script. */
export function RichText({ text }: { readonly text: string }): ReactNode {
  return text.split(/\n{2,}/).map((block, index) => {
    const lines = block.split('\n').filter((line) => line.trim() !== '')
    const key = index
    if (lines.length === 0) return null
    if (lines.every((line) => /^\s*[-*•]\s+/.test(line))) {
      return (
        <ul key={key}>
          {lines.map((line) => (
            <li key={line}>{inline(line.replace(/^\s*[-*•]\s+/, ''))}</li>
          ))}
        </ul>
      )
    }
    return <p key={key}>{inline(lines.join('\n'))}</p>
  })
}

function inline(text: string): ReactNode {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part) => {
    if (/^\*\*[^*]+\*\*$/.test(part)) return <strong key={part}>{part.slice(2, -2)}</strong>
    if (/^`[^`]+`$/.test(part)) return <code key={part}>{part.slice(1, -1)}</code>
    return part
  })
}
