/** The call a page is sent, as the controls send it. */
export const callFrame = {
  type: 'TOOL_CALL',
  payload: { callId: 'tc_604b2a98d957fec78b970827b7a2ba2e', name: 'add_to_cart', args: { quantity: 2 } },
  meta: { id: 'msg_c89a30b7-a5d2-4bd9-9565-1791b655a0ee', timestamp: 1_795_983_155_928, version: '1.0.0' },
}

const callIdPattern = /"callId":"([^"]+)"/

/** The frame a page answers a call with. A pattern finds the id, so that the driver costs the same in every mode. */
export function resultFrame(call: string): string | undefined {
  const callId = callIdPattern.exec(call)?.[1]
  if (callId === undefined) return undefined
  return (
    `{"type":"TOOL_RESULT","payload":{"callId":"${callId}","status":"success","result":{"added":true,"cartTotal":299.98}},` +
    '"meta":{"id":"msg_f3c8a980-0a56-4b21-827b-fb8ee0b66a9d","timestamp":1706000000000,"version":"1.0.0"}}'
  )
}
