/** The simulator of the gateway, for `npm start` and tests. */
export type { Control } from './simulator/control.js';
export type { Call, Fault } from './simulator/faults.js';
export { readSimulatorOptions, simulatorSettings } from './simulator/settings.js';
export { type Profile, type Simulator, startSimulator } from './simulator/simulator.js';
export { processorCards, testCards } from './simulator/test-cards.js';
