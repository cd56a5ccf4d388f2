/** Whether the shop still writes down what it says to the service. */
import { note, ok, type Verdict } from '../finding.js';
import type { Patient } from '../patient.js';

export function judgeRecording({ config }: Patient): readonly Verdict[] {
  if (config.recordExchanges === undefined) return [ok('Exchanges with the service are not recorded.')];
  return [
    note({
      what: `Exchanges with the service are recorded in ${config.recordExchanges}.`,
      why: 'It holds no secrets and nobody’s data, but it tells how much the shop sells, and when.',
      mend: 'Once the fault is found, empty RECORD_EXCHANGES, restart, and delete the file.',
    }),
  ];
}
