/**
 * Returns the values of a secret, the newest first. During a change of the secret the setting has the older ones too,
 * separated by commas. The newest signs, and all are accepted.
 */
export function secretValues(text: string): readonly [string, ...string[]] {
  const [newest = '', ...older] = text.split(',').map((value) => value.trim());
  return [newest, ...older];
}
