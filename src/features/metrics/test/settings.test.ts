import { expect, test } from '@jest/globals';
import { readSettings } from '../../../config/settings.js';

test.each(['fifteen-letters', 'sixteen characters with blanks'])('the token %j is refused', (value) => {
  const read = readSettings({ METRICS_TOKEN: value });

  expect(read).toMatchObject({ problems: [expect.stringMatching(/^METRICS_TOKEN: /)] });
});

test('production refuses a weak token', () => {
  const read = readSettings({ NODE_ENV: 'production', METRICS_TOKEN: 'a'.repeat(40) });

  expect(read).toMatchObject({ problems: expect.arrayContaining([expect.stringMatching(/^METRICS_TOKEN: /)]) });
});
