/** What the start page tells of a recording that is played. */
import type { Conversation } from './conversations.js';
import type { RecordedLine } from './recording.js';
import type { Replay } from './replay.js';
import { isRecord } from './validate.js';
import type { Words } from './words-es.js';

export interface ReplayModel {
  readonly intro: string;
  readonly leftOut: string | undefined;
  readonly rows: readonly ReplayRow[];
}

interface ReplayRow {
  readonly number: number;
  /** What was recorded, in order. */
  readonly begun: string;
  readonly reads: string;
  /** The present orders that took it. */
  readonly orders: string;
}

export function replayModel(replay: Replay, w: Words): ReplayModel {
  const { conversations, leftOut } = replay.recorded;
  return {
    intro: w.replayIntro.replace('{file}', replay.name),
    leftOut: leftOut === 0 ? undefined : w.replayLeftOut.replace('{count}', String(leftOut)),
    rows: conversations.map((conversation, index) => ({
      number: index + 1,
      ...told(conversation),
      orders: replay
        .runs()
        .filter((run) => run.conversation === conversation)
        .map(({ order }) => order)
        .join(', '),
    })),
  };
}

function told({ begun, reads }: Conversation): Pick<ReplayRow, 'begun' | 'reads'> {
  return {
    begun: begun.map((line) => `${line.call} ${ending(line)}`).join(' · '),
    reads: [...reads.values()].flat().map(ending).join(' · '),
  };
}

function ending({ answer, fault }: RecordedLine): string {
  if (answer === undefined) return fault?.code ?? '';
  const { status, json } = answer;
  const words = isRecord(json) ? [json['status'], json['transaction_status']] : ['…'];
  return [status, words.filter((word) => typeof word === 'string').join('/')].filter(Boolean).join(' ');
}
