import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  exempt: 'Exempt',
  number: 'Order',
  placed: 'Order date',
  paid: 'Payment date',
  confirmed: 'Confirmation date',
  state: 'Order state',
  reviewReason: 'Review reason',
  product: 'Product ID',
  name: 'Item',
  quantity: 'Quantity',
  unitPrice: 'Unit price',
  lineTotal: 'Amount',
  taxRate: 'IVA rate (%)',
  taxBase: 'Base',
  tax: 'IVA',
  total: 'Order total',
  currency: 'Currency',
  reference: 'Reference at the gateway',
  gatewayId: 'ID at the gateway',
  paymentId: 'Payment number',
  transactionId: 'Transaction number',
  provider: 'Processor',
  shippingOption: 'Delivery option',
};
