export type JobName = 'payment_link';
