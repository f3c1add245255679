/** The tenant's own contract: what an OpenAPI document of its operations says, without the words. */
import { catalogueOf, everyFlag } from "../../src/emulator/auth/scope";
import { exactly, text, type Schema } from "../../src/emulator/schema";
import { operations } from "../../src/emulator/api/families";
import { isManagement, type Operation } from "../../src/emulator/http/operation";

const errorShape = exactly({ statusCode: { type: "integer" }, error: text, message: text, errorCode: text }, [
  "errorCode",
]);
const oauthErrorShape = exactly({ error: text, error_description: text });

const count = { required: true, schema: { type: "string", pattern: "^\\d+$" } };
const limitHeaders = Object.fromEntries(
  ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"].map((name) => [name, count]),
);

const contentOf = (schema: Schema) => ({ "application/json": { schema } });

function responses(operation: Operation) {
  const { scope, success, response, errors } = operation;
  const headers = scope === undefined ? {} : { headers: limitHeaders };
  const shape = errors === "oauth" ? oauthErrorShape : errorShape;
  const done = { ...headers, ...(response && { content: contentOf(response) }) };
  const refused = refusalsOf(operation).map((status) => [status, { ...headers, content: contentOf(shape) }]);
  return { [success]: done, ...Object.fromEntries(refused) };
}

function parameters({ path, id, query }: Operation) {
  const schema = { type: "string", ...(id?.maxLength && { maxLength: id.maxLength }) };
  const inPath = path.includes("{id}") ? [{ name: "id", in: "path", required: true, schema }] : [];
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, each]) => ({ name, in: "query", schema: each }));
  return [...inPath, ...inQuery];
}

function describe(operation: Operation) {
  const { scope, body } = operation;
  const types = ["application/json", "application/x-www-form-urlencoded"];
  return {
    ...(scope && { security: [{ bearer: [] }, { clientCredentials: [scope] }] }),
    parameters: parameters(operation),
    ...(body && {
      requestBody: { required: true, content: Object.fromEntries(types.map((type) => [type, { schema: body }])) },
    }),
    responses: responses(operation),
  };
}

const securitySchemes = () => ({
  bearer: { type: "http", scheme: "bearer" },
  clientCredentials: {
    type: "oauth2",
    flows: {
      clientCredentials: {
        tokenUrl: "/oauth/token/",
        "x-form-parameters": { audience: "/api/v2/" },
        scopes: Object.fromEntries(catalogueOf(everyFlag).map((scope) => [scope, scope])),
      },
    },
  },
});

const paths: Record<string, Record<string, unknown>> = {};
for (const operation of operations)
  (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describe(operation);

export const document = { paths, components: { securitySchemes: securitySchemes() } };

/** All error statuses of an operation. */
function refusalsOf({ path, scope, query, body, refusals = [] }: Operation): number[] {
  const statuses = [
    ...(scope === undefined ? [] : [401, 403, 429]),
    ...(path.includes("{") || query ? [400] : []),
    ...(body ? [400, 413, 415] : []),
    ...refusals,
  ];
  if (isManagement(path) && scope === undefined) throw new Error(`${path} has no scope`);
  return [...new Set(statuses)].toSorted((a, b) => a - b);
}
