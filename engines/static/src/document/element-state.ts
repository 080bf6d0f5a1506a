import { isSecretField, type Snapshot } from '@domos/som'
import type { LeanNode } from '@domos/som/parse'
import type { ElementState } from '@domos/spec'
import {
  controlValue,
  formOwner,
  inputType,
  isChecked,
  isDisabled,
  isSubmittable,
  isTextControl,
  optionsOf,
  optionText,
  optionValue,
  selectedOptions,
  unusable,
} from '../forms/controls.ts'
import type { DocumentState } from './document-state.ts'
import { getAttribute, hasAttribute } from './nodes.ts'

/** What an element is and holds now. Values of secret fields are given; whoever shows them masks them. */
export function elementState(
  state: DocumentState,
  snapshot: Snapshot<LeanNode>,
  node: LeanNode,
  role: string,
): ElementState {
  const type = node.tag === 'input' ? inputType(node) : undefined
  const isSelect = node.tag === 'select'
  const chosen = isSelect ? selectedOptions(node) : []
  const form = isSubmittable(node) ? formOwner(node) : undefined
  const formRegion =
    form === undefined ? undefined : snapshot.model.documents[0]?.regions.find((region) => region.node === form)
  const href = node.tag === 'a' || node.tag === 'area' ? getAttribute(node, 'href') : undefined
  const holdsValue = isTextControl(node) || type === 'color' || type === 'range' || type === 'file'
  return {
    tag: node.tag,
    role,
    ...(type === undefined ? {} : { inputType: type }),
    ...(holdsValue ? { value: type === 'file' ? (node.state?.value ?? '') : controlValue(node) } : {}),
    isSecret: state.secrets.has(node) || isSecretField(state.tree, node),
    ...(type === 'checkbox' || type === 'radio' ? { checked: isChecked(node) } : {}),
    ...(node.tag === 'details' ? { checked: hasAttribute(node, 'open') } : {}),
    ...(isSelect
      ? {
          selected: chosen.map(optionText),
          options: optionsOf(node).map((option) => ({
            value: optionValue(option),
            text: optionText(option),
            disabled: isDisabled(option),
            selected: chosen.includes(option),
          })),
        }
      : {}),
    disabled: unusable(node) !== undefined,
    readOnly: hasAttribute(node, 'readonly') && isTextControl(node),
    visible: true,
    ...(href === undefined || !URL.canParse(href, state.baseUrl) ? {} : { href: new URL(href, state.baseUrl).href }),
    isEditable: isTextControl(node),
    ...(formRegion === undefined ? {} : { formId: formRegion.id }),
  }
}
