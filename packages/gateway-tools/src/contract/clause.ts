import type { GatewayClient } from './gateway-client.js';
import type { Tester } from './tester.js';

/** Returns the differences. Rejects when the gateway does not answer, or with {@link NotTested}. */
type Test = (gateway: GatewayClient, tester: Tester) => Promise<readonly string[]>;

/** One statement of docs/gateway-interface.md. `public`: of the gateway's public documents only. */
export interface Clause {
  readonly name: string;
  /** Sections of docs/gateway-interface.md. */
  readonly section: string;
  /** What is asked, and what the document promises. */
  readonly asked: string;
  readonly expected: string;
  readonly test: Test;
  /** `tokenizer`: needs TOKENIZER_URL. `payment`: also `--pay`. `tester`: also `--guided`. `page`: `--pay` and `--guided`. */
  readonly needs?: 'tokenizer' | 'payment' | 'tester' | 'page';
}

/** Creates clauses from a table. Each name has four cells: `name | section | asked | expected`. */
export function clauses(table: Readonly<Record<string, Test>>, needs?: Clause['needs']): readonly Clause[] {
  return Object.entries(table).map(([cells, test]) => {
    const [name = '', section = '', asked = '', expected = ''] = cells.split(' | ');
    return { name, section, asked, expected, test, needs };
  });
}
