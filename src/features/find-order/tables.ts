export type JobName = 'order_link';
