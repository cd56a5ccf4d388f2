/** The text of a settings file with these settings in it, at their places if they have one; `undefined` takes one out. */
export function withSettings(text: string, settings: Readonly<Record<string, string | undefined>>): string {
  const lines = text === '' ? [] : text.trimEnd().split('\n');
  const isOf = (name: string) => (line: string) => line.startsWith(`${name}=`);
  for (const [name, value] of Object.entries(settings)) {
    const place = lines.findIndex(isOf(name));
    if (place >= 0) lines.splice(place, 1);
    if (value !== undefined) lines.splice(place < 0 ? lines.length : place, 0, `${name}=${quoted(value)}`);
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** As `dotenv` reads it: what stands between quotes is taken as it is. */
function quoted(value: string): string {
  if (/^[\w<>@. ,-]+$/u.test(value)) return value;
  return value.includes('"') ? `'${value}'` : `"${value}"`;
}
