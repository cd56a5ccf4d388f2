/** Describes the gateway as the shop uses it, as OpenAPI 3.1. A test of the shop's client compares what it sends and reads. */
import { ANSWERS, type Json, PAYMENT_BODY, REFUND_BODY, SESSION_BODY } from './schemas.js';

const DESCRIPTION = [
  'The payment gateway as this shop uses it. This is not the specification of the gateway.',
  'It has only the members that the shop sends and reads. The gateway may accept and return others, which the shop ignores.',
  'Written by `npm run contract -- --openapi` from the interface. A test compares it with what the client of packages/payments sends and reads. Never tested against the live service.',
  'An amount is a number or text: pesos in payments and refunds, centavos in sessions.',
  'A member of another type that is not required is read as absent or as different.',
  'The case of statuses, operations and error codes is ignored. Their words: docs/gateway-interface.md, section 3.',
  'Other responses are classified by their status: section 7.',
].join(' ');

/** The names of the schemas by status. `2XX`: the interface does not document the success code. */
type Responses = Readonly<Record<string, readonly (keyof typeof ANSWERS)[]>>;

interface Operation {
  /** Calls with the same address and method are one operation. */
  readonly calls: readonly string[];
  readonly server: 'base_url' | 'checkout_api_url';
  readonly method: 'get' | 'post';
  readonly path: string;
  /** Names of headers, and whether each is required. */
  readonly headers?: Readonly<Record<string, boolean>>;
  /** One for each call. */
  readonly bodies?: readonly Json[];
  readonly responses: Responses;
}

const OPERATIONS: readonly Operation[] = [
  {
    calls: ['process-payment', 'refund-payment'],
    server: 'base_url',
    method: 'post',
    path: '/api/v1/process/',
    headers: { 'X-Request-Id': true, 'X-Signature-Transaction': false },
    bodies: [PAYMENT_BODY, REFUND_BODY],
    responses: { '2XX': ['Payment', 'Refund'], 402: ['Payment', 'Decline'] },
  },
  {
    calls: ['read-transaction', 'read-refund'],
    server: 'base_url',
    method: 'get',
    path: '/api/v1/transactions/{id}/',
    responses: { '2XX': ['Payment', 'Refund'] },
  },
  {
    calls: ['create-session'],
    server: 'checkout_api_url',
    method: 'post',
    path: '/checkout/v1/sessions',
    headers: { 'x-idempotency-key': true },
    bodies: [SESSION_BODY],
    responses: { 201: ['Session'] },
  },
  {
    calls: ['read-session'],
    server: 'checkout_api_url',
    method: 'get',
    path: '/checkout/v1/sessions/{id}',
    responses: { '2XX': ['Session'] },
  },
  {
    calls: ['access-token'],
    server: 'base_url',
    method: 'post',
    path: '/api/v1/tokenization/auth/',
    responses: { '2XX': ['AccessToken'] },
  },
];

/** Returns the text of docs/internals/gateway.openapi.json. */
export function gatewayOpenApi(): string {
  const document = {
    openapi: '3.1.0',
    info: { title: 'The payment gateway as the shop uses it', version: 'v1', description: DESCRIPTION },
    security: [{ apiKey: [] }],
    paths: Object.fromEntries(OPERATIONS.map((operation) => [operation.path, pathItemOf(operation)])),
    components: {
      schemas: ANSWERS,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Token <PAYMENTS_API_KEY>`' },
      },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function pathItemOf({ calls, server, method, path, headers = {}, bodies, responses }: Operation): Json {
  const inPath = path.includes('{id}') ? [{ name: 'id', in: 'path', required: true }] : [];
  const inHeaders = Object.entries(headers).map(([name, required]) => ({ name, in: 'header', required }));
  const operation = {
    operationId: calls.join('-or-'),
    parameters: [...inPath, ...inHeaders].map((each) => ({ ...each, schema: { type: 'string' } })),
    ...(bodies && { requestBody: { required: true, content: contentOf(bodies) } }),
    responses: Object.fromEntries(Object.entries(responses).map(([status, names]) => [status, responseOf(names)])),
  };
  const address = { url: `{${server}}`, variables: { [server]: { default: 'https://gateway.example' } } };
  return { servers: [address], [method]: operation };
}

function responseOf(names: readonly string[]): Json {
  const schemas = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return { description: names.join(' or '), content: contentOf(schemas) };
}

function contentOf(schemas: readonly Json[]): Json {
  return { 'application/json': { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas } } };
}
