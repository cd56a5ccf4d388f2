import { paymentSettings } from '../../payments/index.js';

export const SETTINGS = { TOKENIZER_URL: paymentSettings.TOKENIZER_URL };
