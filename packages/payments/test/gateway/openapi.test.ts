/** What the client sends and reads, compared with the OpenAPI document of the gateway's interface. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { accessTokenSchema, declineSchema, paymentSchema } from '../../src/gateway/card-payments.js';
import { GATEWAY_CALLS } from '../../src/gateway/errors.js';
import { sessionSchema } from '../../src/gateway/hosted-sessions.js';
import { refundSchema } from '../../src/gateway/refunds.js';
import { type RecordedRequest, recordRequests } from './recorded-requests.js';

type Json = Readonly<Record<string, unknown>>;

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Json } } };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Json };
}

const file = new URL('../../../../docs/internals/gateway.openapi.json', import.meta.url);
// An adopter may delete the folder.
const testWithDocument = existsSync(file) ? test : test.skip;
const { paths, components }: Document = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : { paths: {}, components: { schemas: {} } };

testWithDocument('each call of the client is in the OpenAPI document, and no other', () => {
  const called = Object.values(paths).flatMap(({ servers: _, ...operations }) =>
    Object.values(operations).flatMap(({ operationId }) => operationId.split('-or-')),
  );

  expect(called.sort()).toEqual([...GATEWAY_CALLS].sort());
});

testWithDocument.each(GATEWAY_CALLS)(
  'the client sends %s with the address, headers and body of the OpenAPI document',
  async (call) => {
    const requests = await recordRequests(call);
    const [{ method, path, server, body } = requests[0] as RecordedRequest] = requests;
    const { servers, [method.toLowerCase()]: operation } = paths[path] ?? {};

    expect(new Set(requests.map((each) => `${each.method} ${each.path}`)).size).toBe(1);
    expect(servers).toMatchObject([{ url: `{${server}}` }]);
    const headers = operation?.parameters.filter((each) => each.in === 'header');
    expect(headers).toMatchObject(headersOf(requests));
    expect(headers).toHaveLength(headersOf(requests).length);
    const schema = operation?.requestBody?.content['application/json'].schema;
    const position = operation?.operationId.split('-or-').indexOf(call) ?? -1;
    const described = (schema?.['anyOf'] as readonly Json[] | undefined)?.[position] ?? schema;
    expect(described).toEqual(body && schemaOfSent(requests.map((each) => JSON.parse(each.body ?? ''))));
  },
);

testWithDocument.each(
  Object.entries({
    Payment: paymentSchema,
    Decline: declineSchema,
    Refund: refundSchema,
    AccessToken: accessTokenSchema,
    Session: sessionSchema,
  }),
)('the client reads %s by the schema of the OpenAPI document', (name, schema) => {
  expect(schemaOfRead(schema)).toEqual(components.schemas[name]);
});

function headersOf(requests: readonly RecordedRequest[]) {
  const headers = requests.map((request) => Object.keys(request.headers ?? {}));
  return [...new Set(headers.flat())].map((name) => ({
    name,
    required: headers.every((names) => names.includes(name)),
  }));
}

/** Describes what a schema accepts. A pattern of JSON Schema has no flag that ignores the case. */
function schemaOfRead(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // Written for `catch`. An absent member has no default.
      delete jsonSchema.default;
      if (jsonSchema.pattern === '^payment$') jsonSchema.pattern = '^[Pp][Aa][Yy][Mm][Ee][Nn][Tt]$';
      // Not every validator knows the classes of Unicode.
      if (jsonSchema.pattern === '^\\P{Cc}+$') jsonSchema.pattern = '^[^\\u0000-\\u001f\\u007f-\\u009f]+$';
    },
  });
  return json;
}

/** Describes the values of a member. What is absent in one of the requests is optional. */
function schemaOfSent(values: readonly unknown[]): Json {
  const [first] = values;
  if (values.every((value) => value === first)) return { const: first };
  if (Array.isArray(first)) {
    const items = schemaOfSent(values.flat());
    return 'const' in items ? { const: first } : { type: 'array', items };
  }
  if (typeof first !== 'object' || first === null) return { type: Number.isInteger(first) ? 'integer' : typeof first };
  const objects = values as readonly Json[];
  const names = [...new Set(objects.flatMap(Object.keys))];
  const present = (name: string) => objects.flatMap((each) => (name in each ? [each[name]] : []));
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, schemaOfSent(present(name))])),
    required: names.filter((name) => present(name).length === objects.length),
    additionalProperties: false,
  };
}
