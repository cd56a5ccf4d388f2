import { centavos, toPesosText } from '@tianguis/payments/rules';
import type { CsvColumns } from '../../web/services.js';
import { sumRefunds } from './repository.js';

/** What was returned, in the CSV export of orders. */
export const refundColumns: CsvColumns = {
  headings: (t) => [t('refunds.csv')],
  async readCells(queries, orderIds) {
    const totals = await sumRefunds(queries, orderIds);
    return new Map(orderIds.map((id) => [id, [toPesosText(totals.get(id) ?? centavos(0))]]));
  },
};
