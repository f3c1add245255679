/** The schema of keys that let rules of network ACLs recognize signed requests. */
import * as z from "zod";
import { attributePath } from "../../../formats/cty/path";
import { unknown } from "../../../formats/cty/value";
import { attribute, rule } from "../../sdk/attribute";
import { type Computed, type Config, define, type State } from "../../sdk/definition";
import { knownText, visible } from "../schemas";
import { createHash } from "node:crypto";
import type { NetworkAclKey, NetworkAclKeyBody } from "../../../tenant/network-acl-keys";

const material = (name: string) =>
  rule(z.string(), (text, report) => {
    const problem = problemOf(text);
    if (problem) return report(`\`${name}\` cannot be the secret of a key: ${problem}.`);
    const weakness = weaknessOf(text);
    if (weakness) report(`\`${name}\` is a weak secret of a key: ${weakness}. Use random bytes.`, [], "warning");
  });

const algorithms = ["hmac-sha256"];
/** A later version of Auth0 may have one whose name is near. */
const knownAlgorithm = knownText("alg", algorithms, (alg) => algorithms.find((one) => one === alg));

const keyName = visible(z.string().min(1, "give a text that is not empty"));

const config = z.object({
  name: attribute(
    keyName.max(255, "use at most 255 characters").optional(),
    "Name of the key, unique in the tenant, at most 255 characters. Give either `name` or `name_prefix`.",
    { derived: true, replace: true, example: "edge-2026" },
  ),
  name_prefix: attribute(
    keyName.max(247, "use at most 247 characters").optional(),
    "Start of the name, at most 247 characters. The provider appends the first 8 characters of the fingerprint, so the " +
      "name changes with the secret, and Terraform can create a new key before it destroys the old one.",
    { example: "edge-" },
  ),
  alg: attribute(visible().default("hmac-sha256"), "The algorithm. Default: `hmac-sha256`.", {
    replace: true,
    rules: [knownAlgorithm],
    values: algorithms,
    example: "hmac-sha256",
  }),
  value_wo: attribute(
    z.string().optional(),
    "The secret: base64 of 32 to 512 random bytes. Write-only: Terraform stores it in no state and no plan, so it can be " +
      "ephemeral. Needs Terraform or OpenTofu 1.11. Give either `value_wo` or `value`.",
    { writeOnly: true, sensitive: true, rules: [material("value_wo")] },
  ),
  value: attribute(
    z.string().optional(),
    "The secret, for older versions of Terraform: base64 of 32 to 512 random bytes. State and plan contain it as plain text; " +
      "only the terminal hides it.",
    { sensitive: true, rules: [material("value")] },
  ),
});

const computed = z.object({
  id: attribute(z.string(), "Id of the key. Rules and signatures refer to it."),
  fingerprint: attribute(
    z.string(),
    "SHA-256 of the secret in hexadecimal. The plan knows it, so a plan with a new secret shows a new key. It reveals " +
      "nothing about random bytes.",
    { derived: true, replace: true },
  ),
  created_at: attribute(z.string(), "Time of creation, in UTC."),
  updated_at: attribute(z.string(), "Time of the last change, in UTC."),
});

/** Exactly one of two attributes is given. */
const oneOf = <T extends z.ZodObject>(schema: T, one: string, other: string, why = "") =>
  rule(schema, (written: Readonly<Record<string, unknown>>, report) => {
    const given = [one, other].filter((name) => written[name] !== undefined);
    if (given.length === 0)
      report(`Neither \`${one}\` nor \`${other}\` is given: give one of them.${why}`, attributePath(one));
    if (given.length === 2)
      report(`\`${one}\` and \`${other}\` exclude each other: remove one.${why}`, attributePath(other));
  });

export const networkAclKey = define({
  name: "network_acl_key",
  description:
    "An HMAC key of HTTP message signatures (RFC 9421), with which rules of network ACLs recognize signed requests. Early Access.",
  config,
  computed,
  identity: computed.pick({ id: true }),
  rules: [
    oneOf(config, "name", "name_prefix", " With `name_prefix`, the name changes with the secret."),
    oneOf(config, "value_wo", "value", " No state contains `value_wo`."),
  ],
  derive({ name_prefix: prefix, value_wo, value = value_wo }) {
    const isMaterial = typeof value === "string" && problemOf(value) === undefined;
    const fingerprint = isMaterial ? fingerprintOf(value) : unknown;
    const isNamed = typeof prefix === "string" && fingerprint !== unknown;
    return { fingerprint, name: isNamed ? derivedName(prefix, fingerprint) : unknown };
  },
});

/* Checks the material of a key, and computes its fingerprint. */

const [shortest, longest] = [32, 512];

/** The problem of a text as key material, without quoting it; undefined if it is valid. */
export function problemOf(text: string): string | undefined {
  if (/\s/.test(text)) return "it contains spaces or line breaks: remove them, for example with trimspace(…)";
  if (/^[\w-]*={0,2}$/.test(text) && /[-_]/.test(text)) return "it is base64url: write + and / instead of - and _";
  const bare = text.replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9+/]*$/.test(bare)) return "it contains characters that base64 does not have";
  if (bare.length % 4 === 1 || (bare !== text && text.length % 4 !== 0)) {
    return "it is not complete base64: the end lacks characters or has too many";
  }
  const { length } = bytesOf(text);
  if (length >= shortest && length <= longest) return undefined;
  return `it has ${length} bytes instead of ${shortest} to ${longest}: generate it with openssl rand -base64 ${shortest}`;
}

/** The reason why somebody could guess the material from its fingerprint; undefined for good material. */
function weaknessOf(text: string): string | undefined {
  const { size } = new Set(bytesOf(text));
  return size < 10 ? `it has only ${size} different bytes, so it can be guessed from its fingerprint` : undefined;
}

/** SHA-256 in lower-case hexadecimal, as the service returns it. */
export function fingerprintOf(text: string): string {
  return createHash("sha256").update(bytesOf(text)).digest("hex");
}

/** Digits of the fingerprint in a derived name. */
const digits = 8;

const derivedName = (prefix: string, fingerprint: string) => prefix + fingerprint.slice(0, digits);

const bytesOf = (text: string) => Buffer.from(text, "base64");

/* Converts keys to and from the form of the service, which never returns the material. */

type Definition = typeof networkAclKey;

export function toWire({ name, alg, value_wo, value = value_wo }: Config<Definition>): NetworkAclKeyBody {
  // The definition derives a missing name, and refuses a missing value.
  return { name: name!, alg, value: value! };
}

/** Keeps attributes that the service does not have. After an import, a name that looks derived counts as derived. */
export function fromWire(key: NetworkAclKey, known: Partial<State<Definition>>): State<Definition> {
  const { name_prefix, value = undefined } = known.name === undefined ? { name_prefix: derivedPrefix(key) } : known;
  return { ...key, name_prefix, value };
}

/** The prefix of a name that looks derived. */
function derivedPrefix({ name, fingerprint }: Pick<NetworkAclKey, "name" | "fingerprint">): string | undefined {
  const prefix = name.slice(0, -digits);
  return prefix !== "" && name === derivedName(prefix, fingerprint) ? prefix : undefined;
}

export function computedOf({ id, fingerprint, created_at, updated_at }: Computed<Definition>): Computed<Definition> {
  return { id, fingerprint, created_at, updated_at };
}

/** What a data source shows of a key: never its secret. */
export const keyFacts = {
  alg: attribute(z.string(), "The algorithm."),
  fingerprint: attribute(z.string(), "SHA-256 of the secret in hexadecimal."),
  created_at: networkAclKey.computed.shape.created_at,
  updated_at: networkAclKey.computed.shape.updated_at,
};

const wanted = z.object({
  id: attribute(z.string().optional(), "Id of the key. Give either `id` or `name`.", {
    derived: true,
    example: "key_8mJ2rTqZsWv5nYxB4cKdEf",
  }),
  name: attribute(z.string().optional(), "Name of the key.", { derived: true, example: "edge-2026" }),
});

/** The data source of one key. */
export const networkAclKeyRead = define({
  name: "network_acl_key",
  description: "A key of HTTP message signatures, by its id or name. Unmanaged keys are included. Early Access.",
  config: wanted,
  computed: z.object(keyFacts),
  rules: [oneOf(wanted, "id", "name")],
});
