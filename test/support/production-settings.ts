/** The settings that production requires, with valid values. Nothing listens at these addresses. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://tienda.example',
  SESSION_SECRET: 'kq3vN8sXw1Zt5yB7uD0fHj2LmR4pG6cA9eQ',
  PAYMENTS_BASE_URL: 'https://app.pay.example',
  CHECKOUT_API_URL: 'https://api.pay.example',
  PAYMENTS_API_KEY: 'live_5f0c9a7be21d44c8',
  TOKENIZER_URL: 'https://token.pay.example/v1/route/token',
  WEBHOOK_AUTH: 'bearer:Zx81kQpL0v7RtY3n',
  TRUST_PROXY: '1',
};
