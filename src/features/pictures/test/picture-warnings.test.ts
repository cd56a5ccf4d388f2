import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { pictureWarnings } from '../picture-warnings.js';

test('an import warns of a large file and of a wide picture, and of no other, unreadable or uploaded one', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tianguis-pictures-'));
  const picture = (width: number) =>
    sharp({ create: { width, height: 100, channels: 3, background: '#c63' } })
      .png()
      .toBuffer();
  await writeFile(join(directory, 'wide.png'), await picture(300));
  await writeFile(join(directory, 'good.png'), await picture(150));
  await writeFile(join(directory, 'large.jpg'), Buffer.alloc(200 * 1024));
  const images = ['/wide.png', '/good.png', '/large.jpg', '/large.jpg', '/gone.png', `/pictures/${'a'.repeat(64)}`];

  const warnings = await pictureWarnings(images, directory);

  expect(warnings).toEqual([
    expect.stringContaining('/wide.png has 300 × 100 pixels'),
    expect.stringContaining('/large.jpg has 200 KB'),
  ]);
  await rm(directory, { recursive: true });
});
