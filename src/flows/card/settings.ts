import { paymentSettings } from '@tianguis/payments/settings';

export const SETTINGS = { TOKENIZER_URL: paymentSettings.TOKENIZER_URL };
