export type JobName = 'refunded' | 'on_refunded';
