import type { SpeechHints } from '@domos/spec'

/** A house and a shop, as a page would declare them. */
export const EXAMPLE_HINTS: SpeechHints = {
  tools: [
    {
      name: 'set_light',
      description: 'Turns the lights in a room on or off.',
      parameters: {
        type: 'object',
        properties: {
          room: { type: 'string', enum: ['kitchen', 'bedroom', 'living_room', 'hallway'] },
          on: { type: 'boolean' },
        },
        required: ['room', 'on'],
      },
    },
    {
      name: 'addToCart',
      description: 'Adds a product to the shopping cart.',
      parameters: {
        type: 'object',
        properties: { product: { type: 'string' }, quantity: { type: 'integer', minimum: 1 } },
        required: ['product'],
      },
    },
    { name: 'get_weather', description: 'Tells the current weather.', parameters: { type: 'object', properties: {} } },
  ],
  vocabulary: ['headphones', 'desk lamp', 'Zephyrix speaker', 'coffee machine'],
}
