export const metricsPaths = {
  metrics: '/metrics',
} as const;
