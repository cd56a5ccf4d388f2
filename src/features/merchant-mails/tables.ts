export type JobName = 'merchant_paid' | 'merchant_review';
