import { request } from 'node:http';

/** What a program says of itself. By a connection of its own: one that was kept may have been closed during the load. */
export function ask<Answer>(address: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { agent: false }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('error', reject);
      answer.on('end', () => resolve(JSON.parse(Buffer.concat(pieces).toString('utf8')) as Answer));
    });
    sent.on('error', reject);
    sent.end();
  });
}
