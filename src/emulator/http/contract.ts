// The tenant's own contract: an OpenAPI document of everything it serves.

import { faultSchema } from "./injected-fault";
import {
  actionSchema,
  matchSchema,
  networkAclPatchSchema,
  networkAclSchema,
  ruleSchema,
} from "../api/network-acl-check";
import { operations, type Operation } from "./operation";
import { membersSchema } from "../api/organization-member-check";
import { configurationSchema, rateLimitPolicyPatchSchema, rateLimitPolicySchema } from "../api/rate-limit-policy-check";
import type { Schema } from "./schema";
import { catalogue } from "../auth/scope";
import { seedSchema } from "../state/seed";
import {
  errorShape,
  memberShape,
  networkAclInFullShape,
  networkAclShape,
  organizationShape,
  rateLimitPolicyShape,
  tokenErrorShape,
  tokenShape,
  userShape,
} from "./shape";

const named: Record<string, Schema> = {
  Error: errorShape,
  TokenError: tokenErrorShape,
  Token: tokenShape,
  NetworkAcl: networkAclShape,
  NetworkAclInFull: networkAclInFullShape,
  NetworkAclContent: networkAclSchema,
  NetworkAclPatch: networkAclPatchSchema,
  NetworkAclRule: ruleSchema,
  NetworkAclAction: actionSchema,
  NetworkAclMatch: matchSchema,
  RateLimitPolicy: rateLimitPolicyShape,
  RateLimitPolicyContent: rateLimitPolicySchema,
  RateLimitPolicyPatch: rateLimitPolicyPatchSchema,
  RateLimitPolicyConfiguration: configurationSchema,
  Member: memberShape,
  Members: membersSchema,
  Organization: organizationShape,
  User: userShape,
  Fault: faultSchema,
  Seed: seedSchema,
};
const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));

/** The value with every schema that has a name, below the top, written as a reference to it. */
function referring(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reference);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, reference(entry)]));
}

function reference(value: unknown): unknown {
  const name = names.get(value as Schema);
  return name === undefined ? referring(value) : { $ref: `#/components/schemas/${name}` };
}

const jsonOf = (schema: Schema) => ({ "application/json": { schema: reference(schema) } });

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

function answers(operation: Operation) {
  const { scope, success, answer, errors } = operation;
  const headers = scope === undefined ? {} : { headers: limitHeaders };
  const shape = operation.path.startsWith("/oauth/") ? tokenErrorShape : errorShape;
  const good = { description: "Done.", ...headers, ...(answer && { content: jsonOf(answer) }) };
  const bad = errors.map((status) => [status, { description: whys[status], ...headers, content: jsonOf(shape) }]);
  return { [success]: good, ...Object.fromEntries(bad) };
}

function parameters({ path, idLength, query }: Operation) {
  const variable = path.includes("{id}")
    ? [{ name: "id", in: "path", required: true, schema: { type: "string", ...(idLength && { maxLength: idLength }) } }]
    : [];
  const given = Object.entries(query?.properties ?? {}).map(([name, schema]) => ({ name, in: "query", schema }));
  return [...variable, ...given];
}

function describe(operation: Operation) {
  const { method, path, summary, scope, body } = operation;
  const id = `${method.toLowerCase()}${path.replace("/api/v2", "").replace(/[^a-zA-Z]+/g, "_")}`;
  const forms = ["application/json", "application/x-www-form-urlencoded"];
  return {
    operationId: id,
    summary,
    ...(scope && { security: [{ bearer: [] }, { clientCredentials: [scope] }] }),
    parameters: parameters(operation),
    ...(body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(forms.map((type) => [type, { schema: reference(body) }])),
      },
    }),
    responses: answers(operation),
  };
}

/** What stands beside the service: for tests and for people, at a path the service does not have. */
const control = {
  "/_tenantform/requests": {
    get: { summary: "The requests served so far", responses: { 200: { description: "A list." } } },
    delete: { summary: "Forget them", responses: { 204: { description: "Done." } } },
  },
  "/_tenantform/faults": {
    get: { summary: "The fault rules in force", responses: { 200: { description: "A list." } } },
    post: {
      summary: "Add a fault rule",
      requestBody: { required: true, content: jsonOf(faultSchema) },
      responses: { 204: { description: "Done." }, 400: { description: whys[400], content: jsonOf(errorShape) } },
    },
    delete: { summary: "Remove all fault rules", responses: { 204: { description: "Done." } } },
  },
  "/_tenantform/snapshot": {
    get: {
      summary: "The whole tenant, usable as a seed",
      responses: { 200: { description: "The tenant.", content: jsonOf(seedSchema) } },
    },
  },
  "/_tenantform/reset": { post: { summary: "Back to the seed", responses: { 204: { description: "Done." } } } },
};

/** The document; its version is the service's. */
export function contract() {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describe(operation);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "The embedded tenant",
      version: "2.0",
      description: "A local stand-in for the tenant-management service, as far as Tenantform needs it.",
    },
    servers: [{ url: "/" }],
    paths: { ...paths, ...control },
    components: {
      schemas: Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, referring(schema)])),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "jwt" },
        clientCredentials: {
          type: "oauth2",
          flows: {
            clientCredentials: {
              tokenUrl: "/oauth/token/",
              "x-form-parameters": { audience: "/api/v2/" },
              scopes: Object.fromEntries(catalogue.map((scope) => [scope, scope.replace(/[:_]/g, " ")])),
            },
          },
        },
      },
    },
  };
}
