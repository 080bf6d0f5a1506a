import { createLocalModel } from '@domos/model-local'

/** Its id is 'local/planner'; no key, no network, no model file. */
export const model = createLocalModel()
