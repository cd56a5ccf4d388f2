export const reconciliationPaths = {
  page: '/admin/reconciliation',
  payments: '/admin/reconciliation/payments.csv',
  lookup: '/admin/reconciliation/lookup',
} as const;
