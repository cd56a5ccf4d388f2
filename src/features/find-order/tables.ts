export type JobName = 'order_link' | 'order_list';
