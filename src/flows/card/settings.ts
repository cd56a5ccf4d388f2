import { paymentSettings } from '@tianguis/payments';

export const SETTINGS = { TOKENIZER_URL: paymentSettings.TOKENIZER_URL };
