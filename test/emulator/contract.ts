/** The tenant's own contract: an OpenAPI document that follows from its operations. */
import { catalogueOf, everyFlag } from "../../src/emulator/auth/scope";
import { exactly, text, type Schema } from "../../src/emulator/schema";
import { operations } from "../../src/emulator/api/families";
import { refusalsOf, type Operation } from "../../src/emulator/http/operation";

const errorShape = exactly({ statusCode: { type: "integer" }, error: text, message: text, errorCode: text }, [
  "errorCode",
]);
const oauthErrorShape = exactly({ error: text, error_description: text });

const reasons: Record<number, string> = {
  400: "The path, the query or the body is invalid; the message names the problem and its place.",
  401: "The token is missing, invalid or expired, or its client is not global.",
  403: "The token lacks the scope.",
  404: "There is no such object.",
  409: "The object conflicts with an existing one.",
  413: "The body is too large.",
  415: "The body is neither JSON nor a form.",
  429: "A rate limit has been reached.",
};

const count = (description: string) => ({ description, required: true, schema: { type: "string", pattern: "^\\d+$" } });
const limitHeaders = {
  "X-RateLimit-Limit": count("Requests that the bucket holds."),
  "X-RateLimit-Remaining": count("Requests that are left in the bucket."),
  "X-RateLimit-Reset": count("UNIX second in which the next request is added."),
};

const contentOf = (schema: Schema) => ({ "application/json": { schema } });

function responses(operation: Operation) {
  const { scope, success, response, errors } = operation;
  const headers = scope === undefined ? {} : { headers: limitHeaders };
  const shape = errors === "oauth" ? oauthErrorShape : errorShape;
  const done = { description: "Done.", ...headers, ...(response && { content: contentOf(response) }) };
  const refused = refusalsOf(operation).map((status) => [
    status,
    { description: reasons[status], ...headers, content: contentOf(shape) },
  ]);
  return { [success]: done, ...Object.fromEntries(refused) };
}

function parameters({ path, id, query }: Operation) {
  const schema = { type: "string", ...(id?.maxLength && { maxLength: id.maxLength }) };
  const inPath = path.includes("{id}") ? [{ name: "id", in: "path", required: true, schema }] : [];
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, each]) => ({ name, in: "query", schema: each }));
  return [...inPath, ...inQuery];
}

function describe(operation: Operation) {
  const { method, path, scope, body } = operation;
  const types = ["application/json", "application/x-www-form-urlencoded"];
  return {
    operationId: `${method.toLowerCase()}${path.replace("/api/v2", "").replace(/[^a-zA-Z]+/g, "_")}`,
    ...(scope && { security: [{ bearer: [] }, { clientCredentials: [scope] }] }),
    parameters: parameters(operation),
    ...(body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(types.map((type) => [type, { schema: body }])),
      },
    }),
    responses: responses(operation),
  };
}

const securitySchemes = () => ({
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
});

/** The document; its version is that of the service. */
function contractOf() {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describe(operation);
  }
  return {
    openapi: "3.1.0",
    info: { title: "The embedded tenant", version: "2.0" },
    servers: [{ url: "/" }],
    paths,
    components: { securitySchemes: securitySchemes() },
  };
}

export const document = contractOf();
