import { describePromises } from './promises/promises.js';
import { openSimulatedPair } from './promises/simulated-pair.js';

describePromises('the adapter of src/gateway', openSimulatedPair);
