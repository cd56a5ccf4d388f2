export type JobName = 'shipped' | 'ready';
