export type Fields = Readonly<Record<string, string>>;

/** Returns the fields of the form with this action, without unchecked choices. */
export function readForm(html: string, action: string): Fields {
  const [, form] = new RegExp(`<form[^>]* action="${action}"[^>]*>([\\s\\S]*?)</form>`).exec(html) ?? [];
  if (form === undefined) throw new Error(`no form for ${action}`);
  const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([input]) => input);
  const attribute = (input: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1] ?? '';
  return Object.fromEntries(
    inputs
      .filter((input) => !input.includes('type="radio"') || / checked/.test(input))
      .map((input) => [attribute(input, 'name'), attribute(input, 'value')]),
  );
}
