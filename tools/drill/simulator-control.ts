/** Client of the simulator's control interface, with the ledger that is the ground truth of a drill. */

import type { Control } from '@tianguis/gateway-tools';
import { exchange } from '../../test/support/http.js';

/** Runs a control operation. Rejects if the simulator refuses it, because then the drill itself is wrong. */
export type SimulatorControl = <K extends keyof Control>(
  operation: K,
  ...args: Parameters<Control[K]>
) => Promise<Awaited<ReturnType<Control[K]>>>;

export type Call = Parameters<Control['fault']>[0];
export type Fault = Parameters<Control['fault']>[1];

export function simulatorControl(simulatorUrl: string): SimulatorControl {
  return async (operation, ...args) => {
    const { status, text } = await exchange(simulatorUrl, `/_control/${operation}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(args),
    });
    const { result, error } = JSON.parse(text);
    if (status !== 200) throw new Error(`the simulator refused ${operation}: ${error}`);
    return result;
  };
}

/** Sends all webhook events about card payments, or about refunds, again. */
export async function resendCardWebhooks(
  control: SimulatorControl,
  about: 'payment' | 'refund' = 'payment',
): Promise<void> {
  for (const { id, event } of await control('deliveries')) {
    if (event.startsWith(`${about}_`)) await control('sendWebhookAgain', id);
  }
}
