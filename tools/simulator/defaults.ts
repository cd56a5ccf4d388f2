/** Shared defaults of the simulator and a shop without a configured gateway. */
export const defaults = {
  port: 4000,
  apiKey: 'test_simulator_key',
  webhookAuth: 'bearer:simulator-webhook-secret',
  webhookUrl: 'http://localhost:3000/webhooks/payments',
  tokenizerPath: '/vault/v1/gateway/inboundRoutes/demo/token',
} as const;
