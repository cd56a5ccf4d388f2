/** Describes the gateway as the shop uses it, as OpenAPI 3.1: what the client of packages/payments/src/gateway sends, and what it reads. */
import { z } from 'zod';
import { accessTokenSchema, declineSchema, paymentSchema } from '../../packages/payments/src/gateway/card-payments.js';
import type { GatewayCall } from '../../packages/payments/src/gateway/errors.js';
import { sessionSchema } from '../../packages/payments/src/gateway/hosted-sessions.js';
import { refundSchema } from '../../packages/payments/src/gateway/refunds.js';
import { type RecordedRequest, recordRequests } from './recorded-requests.js';

type Json = Readonly<Record<string, unknown>>;

const DESCRIPTION = [
  'The payment gateway as this shop uses it. This is not the specification of the gateway.',
  'It has only the members that the shop sends and reads. The gateway may accept and return others, which the shop ignores.',
  'Written by `npm run contract -- --openapi` from packages/payments/src/gateway. Never tested against the live service.',
  'An amount is a number or text: pesos in payments and refunds, centavos in sessions.',
  'A member of another type that is not required is read as absent or as different.',
  'The case of statuses, operations and error codes is ignored. Their words: docs/gateway-interface.md, section 3.',
  'Other responses are classified by their status: section 7.',
].join(' ');

/** The schemas by which packages/payments/src/gateway reads responses. */
const READ = {
  Payment: paymentSchema,
  Decline: declineSchema,
  Refund: refundSchema,
  AccessToken: accessTokenSchema,
  Session: sessionSchema,
};

/** What is read by status. `2XX`: the interface does not document the success code. */
const RESPONSES: Readonly<Record<GatewayCall, Readonly<Record<string, readonly (keyof typeof READ)[]>>>> = {
  'process-payment': { '2XX': ['Payment'], 402: ['Payment', 'Decline'] },
  'refund-payment': { '2XX': ['Refund'] },
  'read-transaction': { '2XX': ['Payment'] },
  'read-refund': { '2XX': ['Refund'] },
  'create-session': { 201: ['Session'] },
  'read-session': { '2XX': ['Session'] },
  'access-token': { '2XX': ['AccessToken'] },
};

/** Calls with the same address and method are one operation. */
const OPERATIONS: readonly (readonly [GatewayCall, ...GatewayCall[]])[] = [
  ['process-payment', 'refund-payment'],
  ['read-transaction', 'read-refund'],
  ['create-session'],
  ['read-session'],
  ['access-token'],
];

/** Returns the text of docs/internals/gateway.openapi.json. */
export async function gatewayOpenApi(): Promise<string> {
  const document = {
    openapi: '3.1.0',
    info: { title: 'The payment gateway as the shop uses it', version: 'v1', description: DESCRIPTION },
    security: [{ apiKey: [] }],
    paths: Object.assign({}, ...(await Promise.all(OPERATIONS.map(pathOf)))) as Json,
    components: {
      schemas: Object.fromEntries(Object.entries(READ).map(([name, schema]) => [name, schemaOfRead(schema)])),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Token <PAYMENTS_API_KEY>`' },
      },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

async function pathOf(calls: (typeof OPERATIONS)[number]): Promise<Json> {
  const recorded = await Promise.all(calls.map(recordRequests));
  const requests = recorded.flat();
  const [first] = requests;
  if (!first || requests.some(({ method, path }) => method !== first.method || path !== first.path))
    throw new Error(`${calls.join(' and ')} have different addresses`);
  const bodies = recorded.map((each) => schemaOfSent(each.map(({ body }) => body && JSON.parse(body))));
  const operation = {
    operationId: calls.join('-or-'),
    parameters: parametersOf(requests),
    ...(first.body && { requestBody: { required: true, content: contentOf(bodies) } }),
    responses: responsesOf(calls),
  };
  const address = { url: `{${first.server}}`, variables: { [first.server]: { default: 'https://gateway.example' } } };
  return { [first.path]: { servers: [address], [first.method.toLowerCase()]: operation } };
}

function contentOf(schemas: readonly Json[]): Json {
  return { 'application/json': { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas } } };
}

function parametersOf(requests: readonly RecordedRequest[]): readonly Json[] {
  const inPath = requests[0]?.path.includes('{id}') ? [{ name: 'id', in: 'path', required: true }] : [];
  const headers = requests.map((request) => Object.keys(request.headers ?? {}));
  const inHeaders = [...new Set(headers.flat())].map((name) => ({
    ...{ name, in: 'header', required: headers.every((names) => names.includes(name)) },
  }));
  return [...inPath, ...inHeaders].map((each) => ({ ...each, schema: { type: 'string' } }));
}

function responsesOf(calls: readonly GatewayCall[]): Json {
  const responses: Record<string, Json> = {};
  for (const status of new Set(calls.flatMap((call) => Object.keys(RESPONSES[call])))) {
    const names = calls.flatMap((call) => RESPONSES[call][status] ?? []);
    const schemas = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
    responses[status] = { description: names.join(' or '), content: contentOf(schemas) };
  }
  return responses;
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
