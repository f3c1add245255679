/** The tenant's own contract: an OpenAPI document of everything it serves, out of the statements of its operations. */
import { catalogueOf } from "../auth/scope";
import { everyFlag } from "../flag";
import type { Schema } from "../schema/schema";
import { errorShape, oauthErrorShape } from "../schema/shape";
import { refusalsOf, type Family, type Operation } from "./operation";

const whys: Record<number, string> = {
  400: "The path, the query or the body is not acceptable; the message says what and where.",
  401: "No token, a bad or expired one, or one of a client that is not global.",
  403: "The token lacks the scope.",
  404: "There is no such thing.",
  409: "It collides with one that exists.",
  413: "The body is too large.",
  415: "The body is neither JSON nor a form.",
  429: "A rate limit has been reached.",
};

const count = (description: string) => ({ description, required: true, schema: { type: "string", pattern: "^\\d+$" } });
const limitHeaders = {
  "X-RateLimit-Limit": count("Requests that are taken at once."),
  "X-RateLimit-Remaining": count("Requests that would be taken now."),
  "X-RateLimit-Reset": count("UNIX second in which the next request is added."),
};

type Refer = (value: unknown) => unknown;

const contentOf = (schema: Schema, refer: Refer) => ({ "application/json": { schema: refer(schema) } });

function answers(operation: Operation, refer: Refer) {
  const { scope, success, answer, errors } = operation;
  const headers = scope === undefined ? {} : { headers: limitHeaders };
  const shape = errors === "oauth" ? oauthErrorShape : errorShape;
  const good = { description: "Done.", ...headers, ...(answer && { content: contentOf(answer, refer) }) };
  const bad = refusalsOf(operation).map((status) => [
    status,
    { description: whys[status], ...headers, content: contentOf(shape, refer) },
  ]);
  return { [success]: good, ...Object.fromEntries(bad) };
}

function parameters({ path, id, query }: Operation) {
  const schema = { type: "string", ...(id?.maxLength && { maxLength: id.maxLength }) };
  const variable = path.includes("{id}") ? [{ name: "id", in: "path", required: true, schema }] : [];
  const given = Object.entries(query?.properties ?? {}).map(([name, each]) => ({ name, in: "query", schema: each }));
  return [...variable, ...given];
}

function describe(operation: Operation, refer: Refer) {
  const { method, path, summary, scope, body } = operation;
  const forms = ["application/json", "application/x-www-form-urlencoded"];
  return {
    operationId: `${method.toLowerCase()}${path.replace("/api/v2", "").replace(/[^a-zA-Z]+/g, "_")}`,
    summary,
    ...(scope && { security: [{ bearer: [] }, { clientCredentials: [scope] }] }),
    parameters: parameters(operation),
    ...(body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(forms.map((type) => [type, { schema: refer(body) }])),
      },
    }),
    responses: answers(operation, refer),
  };
}

/** An operation that is not the service's: for tests and for people, at a path the service does not have. */
export interface ControlOperation {
  readonly method: "get" | "post" | "delete";
  readonly path: string;
  readonly summary: string;
  readonly parameters?: readonly object[];
  readonly body?: Schema;
  /** What comes back, in words; absent: 204 and nothing. */
  readonly answers?: string;
  readonly answer?: Schema;
}

function describeControl({ summary, parameters: given, body, answers: words, answer }: ControlOperation, refer: Refer) {
  const bad = { description: whys[400], content: contentOf(errorShape, refer) };
  const good = words
    ? { 200: { description: words, ...(answer && { content: contentOf(answer, refer) }) } }
    : undefined;
  return {
    summary,
    ...(given && { parameters: given }),
    ...(body && { requestBody: { required: true, content: contentOf(body, refer) } }),
    responses: { ...(good ?? { 204: { description: "Done." } }), ...((body ?? given) && { 400: bad }) },
  };
}

export interface ContractParts {
  readonly families: readonly Family[];
  readonly control: readonly ControlOperation[];
  /** What any request of the service may bear. */
  readonly parameters: Readonly<Record<string, object>>;
  /** Names for schemas of no family. */
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** The document; its version is the service's. */
export function contractOf({ families, control, parameters: shared, schemas }: ContractParts) {
  const named: Record<string, Schema> = Object.assign(
    { Error: errorShape, OAuthError: oauthErrorShape },
    ...families.map((family) => family.schemas),
    schemas,
  );
  const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));
  /** The value with every schema that has a name, below the top, written as a reference to it. */
  const inside: Refer = (value) => {
    if (Array.isArray(value)) return value.map(refer);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, refer(entry)]));
  };
  const refer: Refer = (value) => {
    const name = names.get(value as Schema);
    return name === undefined ? inside(value) : { $ref: `#/components/schemas/${name}` };
  };

  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of families.flatMap(({ operations }) => operations)) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describe(operation, refer);
  }
  for (const operation of control) {
    (paths[operation.path] ??= {})[operation.method] = describeControl(operation, refer);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "The embedded tenant",
      version: "2.0",
      description: "A local stand-in for the tenant-management service, as far as Tenantform needs it.",
    },
    servers: [{ url: "/" }],
    paths,
    components: {
      parameters: shared,
      schemas: Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, inside(schema)])),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "jwt" },
        clientCredentials: {
          type: "oauth2",
          flows: {
            clientCredentials: {
              tokenUrl: "/oauth/token/",
              "x-form-parameters": { audience: "/api/v2/" },
              scopes: Object.fromEntries(catalogueOf(everyFlag).map((scope) => [scope, scope.replace(/[:_]/g, " ")])),
            },
          },
        },
      },
    },
  };
}
