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

/** The facts that each reason explains. */
const deviations: readonly (readonly [facts: RegExp, reason: string])[] = [
  [/^DELETE \/network-acls\/\{id\} status (204$|200)/, "Recorded: the status is 200 with a body, not 204."],
  [/^GET \/network-acls\/\{id\} status 200 response \.(tenant_id|deleted_at)/, "Recorded: only reading one adds them."],
  [/\.(auth0_managed|http_message_signature)\b/, "Recorded and in the newest SDK: two more signals."],
  [/match\.\w+ (maxItems|uniqueItems)$/, "Documented: at most 20 unique entries."],
  [/match minProperties$/, "A choice: a match without any signal would match every request."],
  [/^POST \/network-acls status 201 response /, "Recorded: creation returns the whole ACL."],
  [
    /network-acls.* status 200 response (\S+ )?(additionalProperties|required \w+)$/,
    "Recorded: all of these, no others.",
  ],
  [/network-acls.* status 200 response \S*\.(id|created_at|updated_at) pattern$/, "Recorded: forms of ids and times."],
  [/members status 200 response (\S+ )?(additionalProperties|required \w+)$/, "Recorded: exactly these properties."],
  [/members status 200 response \S*\.email (format|default)$/, "A response has the values of the user as they are."],
  [
    /rate-limit-policies.* response (\S+ )?required (created_at|updated_at|rate_limit_policies)$/,
    "Recorded: always there.",
  ],
  [/members body \.members maxItems$/, "Documented: at most ten members a request."],
  [/^(POST|PUT|PATCH|DELETE) \S+ status 41[35]\b/, "A body that is too large or of another type must be refused."],
  [/^GET \/network-acls(\/\{id\})? status 400\b/, "Recorded for an ACL id; a query can be invalid as everywhere."],
  [/^(GET|DELETE) \/rate-limit-policies\/\{id\} status 400\b/, "A choice: too long an id, like that of an ACL."],
  [/^(PUT|PATCH) \/network-acls\/\{id\} status 409\b/, "A choice: a priority in use is refused as on creation."],
  [/^(POST|DELETE) \/organizations\/\{id\}\/members status 404\b/, "Recorded: a missing organization is 404."],
  [/^POST \/network-acls status 500$/, "The embedded tenant has no subscription service that could fail."],
  [/ status 4\d\d response /, "Recorded: the body of an error; the description has none."],
  [/\.rule\.match_all\b|^grant of (create|read|delete):network_acl_keys$/, "Newer than the description, behind flags."],
  [/^grant of (create|update|delete):organization_clients$/, "The list of scopes that can be granted has these too."],
  [/ query (take|per_page) default$/, "The description gives these defaults in words."],
];

const scalars =
  "type format pattern minLength maxLength minimum maximum " +
  "minItems maxItems uniqueItems minProperties additionalProperties default";

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
    for (const name of scalars.split(" "))
      if (name in resolved) facts.set(`${at} ${name}`, JSON.stringify(resolved[name]));
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

  const used = new Set<(typeof deviations)[number]>();
  const differences: string[] = [];
  for (const fact of new Set([...theirs.keys(), ...ours.keys()])) {
    const [their, our] = [theirs.get(fact), ours.get(fact)];
    if (their === our) continue;
    const known = deviations.find(([facts]) => facts.test(fact));
    if (known) used.add(known);
    else differences.push(`${fact}: the service has ${their ?? "nothing"}, the embedded tenant ${our ?? "nothing"}`);
  }
  for (const [facts, reason] of deviations.filter((known) => !used.has(known))) {
    differences.push(`no longer a deviation: ${facts.source} (${reason})`);
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
