/**
 * Compares the embedded tenant's own contract with the public description of the service:
 *
 *   tsx test/emulator/contract-against-service.ts <openapi.json>
 *
 * Every operation, parameter, field, status and limit must be in both, except for the deviations below.
 */
import { readFileSync } from "node:fs";
import { document as contract } from "./contract";

type Json = { [key: string]: unknown };
type Facts = Map<string, string>;

interface Deviation {
  /** The facts that it explains. */
  facts: RegExp;
  reason: string;
}

const deviations: Deviation[] = [
  {
    facts: /^DELETE \/network-acls\/\{id\} status (204$|200)/,
    reason: "Recorded: the deletion of an ACL has status 200 with a body, not 204.",
  },
  {
    facts: /^GET \/network-acls\/\{id\} status 200 response \.(tenant_id|deleted_at)/,
    reason: "Recorded: reading one ACL adds tenant_id and deleted_at.",
  },
  {
    facts: /\.(auth0_managed|http_message_signature)\b/,
    reason: "Recorded and in the newest SDK: two signals the description does not have.",
  },
  { facts: /match\.\w+ (maxItems|uniqueItems)$/, reason: "Documented: at most 20 unique entries." },
  { facts: /match minProperties$/, reason: "A choice: a match without any signal would match every request." },
  { facts: /^POST \/network-acls status 201 response /, reason: "Recorded: creation returns the whole ACL." },
  {
    facts: /network-acls.* status 200 response (\S+ )?(additionalProperties|required \w+)$/,
    reason: "Recorded: exactly these properties, all of them.",
  },
  {
    facts: /network-acls.* status 200 response \S*\.(id|created_at|updated_at) pattern$/,
    reason: "Recorded: the forms of ids and times.",
  },
  {
    facts: /members status 200 response (\S+ )?(additionalProperties|required \w+)$/,
    reason: "Recorded: exactly these properties.",
  },
  {
    facts: /members status 200 response \S*\.email (format|default)$/,
    reason: "A response has the values of the user as they are, without a format or a default.",
  },
  {
    facts: /rate-limit-policies.* response (\S+ )?required (created_at|updated_at|rate_limit_policies)$/,
    reason: "Recorded: these are always present.",
  },
  { facts: /members body \.members maxItems$/, reason: "Documented: at most ten members a request." },
  {
    facts: /^(POST|PUT|PATCH|DELETE) \S+ status 41[35]\b/,
    reason: "A body that is too large or of another type must be refused.",
  },
  {
    facts: /^GET \/network-acls(\/\{id\})? status 400\b/,
    reason: "Recorded: a malformed ACL id is 400 invalid_uri; and a query can be invalid as everywhere.",
  },
  {
    facts: /^(GET|DELETE) \/rate-limit-policies\/\{id\} status 400\b/,
    reason: "A choice: an id beyond the described length is 400 invalid_uri, like a malformed ACL id.",
  },
  {
    facts: /^(PUT|PATCH) \/network-acls\/\{id\} status 409\b/,
    reason: "A choice: a priority in use is refused as on creation.",
  },
  {
    facts: /^(POST|DELETE) \/organizations\/\{id\}\/members status 404\b/,
    reason: "Recorded: a missing organization is 404.",
  },
  {
    facts: /^POST \/network-acls status 500$/,
    reason: "The embedded tenant has no subscription service that could fail.",
  },
  { facts: / status 4\d\d response /, reason: "Recorded: the body of an error; the description has none." },
  {
    facts: /\.rule\.match_all\b|^grant of (create|read|delete):network_acl_keys$/,
    reason: "Behind flags of the tenant, and newer than the description.",
  },
  {
    facts: /^grant of (create|update|delete):organization_clients$/,
    reason: "The list of scopes that can be granted has these as well.",
  },
  { facts: / query (take|per_page) default$/, reason: "The description gives these defaults in words." },
];

const scalars = [
  "type",
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "additionalProperties",
  "default",
];

function factsOf(document: Json, prefix: string): Facts {
  const facts: Facts = new Map();
  const { schemas, securitySchemes } = document.components as { schemas: Json; securitySchemes: Json };

  const resolve = (value: unknown): Json => {
    const { $ref } = value as { $ref?: string };
    return $ref === undefined ? (value as Json) : resolve(schemas[$ref.split("/").at(-1)!]);
  };

  const schema = (place: string, path: string, value: unknown): void => {
    const resolved = resolve(value);
    const at = `${place} ${path}`.trim();
    for (const name of scalars) if (name in resolved) facts.set(`${at} ${name}`, JSON.stringify(resolved[name]));
    for (const entry of (resolved.enum as unknown[]) ?? [])
      facts.set(`${at} enum ${JSON.stringify(entry)}`, "possible");
    for (const name of (resolved.required as string[]) ?? []) facts.set(`${at} required ${name}`, "required");
    for (const [name, property] of Object.entries((resolved.properties as Json) ?? {})) {
      facts.set(`${place} ${path}.${name}`, "a property");
      schema(place, `${path}.${name}`, property);
    }
    if (resolved.items) schema(place, `${path}[]`, resolved.items);
    for (const [index, choice] of ((resolved.oneOf as unknown[]) ?? []).entries()) {
      schema(place, `${path}(${index})`, choice);
    }
  };

  const content = (place: string, types: unknown) => {
    for (const [type, { schema: body }] of Object.entries((types ?? {}) as Record<string, { schema: unknown }>)) {
      facts.set(`${place} ${type}`, "described");
      schema(place, "", body);
    }
  };

  for (const [path, methods] of Object.entries(document.paths as Record<string, Json>)) {
    if (!path.startsWith(prefix)) continue;
    for (const [method, described] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path.slice(prefix.length)}`;
      const operation = described as {
        parameters?: Json[];
        requestBody?: Json;
        responses: Record<string, Json>;
        security: Record<string, string[]>[];
      };
      facts.set(name, "an operation");
      for (const parameter of operation.parameters ?? []) {
        const place = `${name} ${String(parameter.in)} ${String(parameter.name)}`;
        facts.set(place, parameter.required === true ? "required" : "optional");
        schema(place, "", parameter.schema);
      }
      content(`${name} body`, operation.requestBody?.content);
      for (const [status, response] of Object.entries(operation.responses)) {
        facts.set(`${name} status ${status}`, "confirmed");
        content(`${name} status ${status} response`, response.content);
      }
      for (const scope of operation.security?.flatMap((scheme) => Object.values(scheme).flat()) ?? []) {
        facts.set(`${name} scope ${scope}`, "needed");
      }
      facts.set(`${name} ways of authorization`, String(operation.security?.length ?? 0));
    }
  }

  for (const scheme of Object.values(securitySchemes) as Json[]) {
    facts.set(`authorization ${String(scheme.type)}`, String(scheme.scheme ?? "flow"));
    const flow = (scheme.flows as { clientCredentials: Json } | undefined)?.clientCredentials;
    if (!flow) continue;
    facts.set("token path", String(flow.tokenUrl));
    facts.set("token audience", String((flow["x-form-parameters"] as Json).audience));
    for (const scope of Object.keys(flow.scopes as Json)) facts.set(`grant of ${scope}`, "possible");
  }
  return facts;
}

function main(file: string): number {
  const theirs = factsOf(JSON.parse(readFileSync(file, "utf8")) as Json, "");
  const paths = new Set([...theirs.keys()].map((fact) => /^[A-Z]+ (\/\S+)/.exec(fact)?.[1]));
  const all = factsOf(contract as unknown as Json, "/api/v2");
  const ours: Facts = new Map([...all].filter(([fact]) => paths.has(/^[A-Z]+ (\/\S+)/.exec(fact)?.[1])));

  const used = new Set<Deviation>();
  const differences: string[] = [];
  for (const fact of new Set([...theirs.keys(), ...ours.keys()])) {
    const [their, our] = [theirs.get(fact), ours.get(fact)];
    if (their === our) continue;
    const known = deviations.find(({ facts }) => facts.test(fact));
    if (known) used.add(known);
    else differences.push(`${fact}: the service has ${their ?? "nothing"}, the embedded tenant ${our ?? "nothing"}`);
  }
  for (const deviation of deviations.filter((known) => !used.has(known))) {
    differences.push(`no longer a deviation: ${deviation.facts.source} (${deviation.reason})`);
  }
  for (const difference of differences) process.stdout.write(`${difference}\n`);
  const outcome = differences.length === 0 ? "no difference" : `${differences.length} differences`;
  process.stdout.write(`${theirs.size} facts compared, ${used.size} kinds of known deviation, ${outcome}\n`);
  return differences.length === 0 ? 0 : 1;
}

const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write("usage: contract-against-service.ts <openapi.json of the service>\n");
  process.exitCode = 2;
} else {
  process.exitCode = main(file);
}
