import { DomosError, type ExtractOptions, type ExtractResult } from '@domos/spec'
import type { HeadlessPage } from '../page/headless-page.ts'

/** Extracts data. */
export async function extract(_page: HeadlessPage, _options: ExtractOptions): Promise<ExtractResult> {
  throw new DomosError('unsupported', 'Extraction is on its way.')
}
