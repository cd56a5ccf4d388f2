/** A local stand-in for the payment gateway, for tests, the drill and development. */
import { setMaxListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.js';
import { type Control, createControl } from './control.js';
import type { Settings, SimulatorOptions } from './settings.js';
import { createState, type SimulatorState } from './state.js';

/** @public */
export type Profile = Settings['profile'];

export interface Simulator extends AsyncDisposable {
  readonly url: string;
  readonly control: Control;
  close(): Promise<void>;
}

/** Resolves when the simulator listens; rejects when the port is taken. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const state = createState(options);
  // Each delayed or hanging response listens, without a limit on their number.
  setMaxListeners(0, state.shutdown.signal);
  const control = createControl(state);
  const server = createServer(createApp(state, control));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  // Bound to a TCP port, so the address is an object.
  const { port } = server.address() as AddressInfo;
  state.url = `http://${options.host ?? 'localhost'}:${port}`;
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= stop(server, state);
    return closed;
  };
  return { url: state.url, control, close, [Symbol.asyncDispose]: close };
}

async function stop(server: Server, state: SimulatorState): Promise<void> {
  state.shutdown.abort();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Ends the calls that a `hang` fault leaves open.
  server.closeAllConnections();
  await closed;
  state.close();
}
