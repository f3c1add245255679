/** Reads endpoint, credentials and limits from the provider block and the environment. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { quoted } from "../../../judge/access/access";
import { attributePath } from "../../../formats/cty/path";
import { unknown } from "../../../formats/cty/value";
import { DiagnosticError } from "../../sdk/diagnostic";
import type { Credentials, TenantOptions } from "../../../tenant/tenant";
import { maskedUrl } from "../../../formats/text/masked";
import { nearest } from "../../../formats/text/nearest";
import { block } from "./definition";
import { endpointFrom, invalid as invalidAt, isAllowed, loopback, type Named } from "./location";
import { rootOf } from "./root";
import type * as z from "zod";
import { notesOf } from "../../sdk/attribute";
import type { Written } from "../../sdk/definition";

/** Terraform prints the line of the attribute, and with it a secret that is written there. */
const invalid = (option: string, detail: string) =>
  option in block.shape && notesOf(block.shape[option as keyof typeof block.shape], option).sensitive
    ? invalidAt(option, detail, [])
    : invalidAt(option, detail);

/** The value of the first source that has one. */
type Found = string | typeof unknown | undefined;

export type Connection = Pick<
  TenantOptions,
  | "endpoint"
  | "credentials"
  | "audience"
  | "certificateAuthority"
  | "maxRetryWait"
  | "maxRequestsPerSecond"
  | "maxConcurrency"
>;

/** Undefined while a needed value is unknown. Throws a DiagnosticError that names a missing or malformed value. */
export function connectionFrom(
  written: Source,
  environment: Environment,
  readFile: (path: string) => string = (path) => readFileSync(path, "utf8"),
): Connection | undefined {
  const embedded = environment[embeddedVariable];
  if (embedded)
    return connectionFrom(pointedAt(embedded, written), { ...environment, [embeddedVariable]: "" }, readFile);
  const found = sourcesOf(written, environment);
  if (!found) return undefined;
  const { sources } = found;
  checkBlank(found);
  checkUnused(written);
  const endpoint = endpointFrom(found);
  if (!isAllowed(endpoint, written.allowed_domains)) return undefined;
  const credentials = credentialsFrom(found, readFile);
  const audience = first(sources, "audience");
  const certificateAuthority = authorityFrom(found, readFile);
  if (endpoint === unknown || credentials === unknown) return undefined;
  if (audience === unknown || certificateAuthority === unknown) return undefined;
  const seconds = numberFrom(found, "max_retry_wait");
  return {
    endpoint,
    credentials,
    audience,
    certificateAuthority,
    maxRetryWait: seconds && seconds * 1000,
    maxRequestsPerSecond: numberFrom(found, "max_requests_per_second"),
    maxConcurrency: numberFrom(found, "max_concurrency"),
  };
}

/** Points each provider block of a run at an embedded tenant, so that a test reaches no other tenant. */
const embeddedVariable = "TENANT_EMBEDDED_ENDPOINT";

/** Of the block, only the limits count: neither its domain, nor its prefix, nor its credentials. */
function pointedAt(endpoint: string, { max_retry_wait, max_requests_per_second, max_concurrency }: Source): Source {
  if (loopback.has(rootOf({ endpoint })?.hostname ?? "")) {
    return { endpoint, max_retry_wait, max_requests_per_second, max_concurrency };
  }
  throw new DiagnosticError(
    ["TNF-INVALID-VALUE", "endpoint"],
    `\`${embeddedVariable}\` is ${JSON.stringify(maskedUrl(endpoint))}: give the URL of an embedded tenant on this machine, or remove the ` +
      "variable.",
  );
}

/** A variable that a job leaves blank would be sent. */
function checkBlank({ sources, named }: Sources): void {
  const isBlank = (value: unknown) => typeof value === "string" && /^\s+$/.test(value);
  const option = Object.keys(block.shape).find((each) => isBlank(first(sources, each as Option)));
  if (option === undefined) return;
  throw invalid(option, `${named(option)} has only spaces: give a value, or remove it.`);
}

/** The environment may have both: that of the embedded tenant has. */
function checkUnused(written: Source): void {
  for (const [used, others] of replaced) {
    const unused = others.find((each) => typeof written[each] === "string");
    if (unused === undefined || typeof written[used] !== "string") continue;
    throw invalid(
      unused,
      `\`${unused}\` has no effect beside \`${used}\`: remove one of them from the provider block.`,
    );
  }
}

const forKeys: readonly Option[] = [
  "client_assertion_private_key",
  "client_assertion_private_key_file",
  "client_assertion_signing_alg",
];

/** An option, and those that it replaces. */
const replaced: readonly (readonly [Option, readonly Option[]])[] = [
  ["endpoint", ["domain"]],
  ["certificate_authority", ["certificate_authority_file"]],
  ["access_token", ["client_id", "client_secret", ...forKeys, "audience"]],
  ["client_secret", forKeys],
  ["client_assertion_private_key", ["client_assertion_private_key_file"]],
];

function first(sources: readonly Source[], option: Option): Found {
  return sources.find((source) => source[option] !== undefined)?.[option] as Found;
}

function numberFrom({ sources, variable }: Sources, option: Option): number | undefined {
  const found: unknown = first(sources, option);
  if (found === undefined || found === unknown) return undefined;
  const number = Number(found);
  const [issue] = block.shape[option].safeParse(number).error?.issues ?? [];
  if (!issue) return number;
  const problem = Number.isFinite(number) ? issue.message : "give a number";
  throw invalid(option, `\`${variable(option)}\` is ${JSON.stringify(found)}: ${problem}.`);
}

/** Credentials in the order of precedence within one source. */
const ways = [
  "access_token",
  "client_secret",
  "client_assertion_private_key",
  "client_assertion_private_key_file",
] as const;

/** Uses the first source with credentials. The next sources can add missing parts of client credentials. */
function credentialsFrom(
  { sources, variable, named }: Sources,
  readFile: (path: string) => string,
): Credentials | typeof unknown {
  const source = sources.find((each) => each.client_id !== undefined || ways.some((way) => each[way] !== undefined));
  const way =
    ways.find((each) => source?.[each] !== undefined) ??
    ways.slice(1).find((each) => first(sources, each) !== undefined);
  const proof = way && first(source?.[way] === undefined ? sources : [source], way);
  const clientId = first(sources, "client_id");
  if (proof === unknown) return unknown;
  if (way === "access_token") return { kind: "access_token", accessToken: checkedToken(proof!, named) };
  if (proof === undefined || clientId === undefined) throw noCredentials(clientId, proof, variable);
  if (clientId === unknown) return unknown;
  if (way === "client_secret") return { kind: "client_secret", clientId, clientSecret: proof };
  const algorithm = first(sources, "client_assertion_signing_alg");
  if (algorithm === unknown) return unknown;
  const { data, error } = block.shape.client_assertion_signing_alg.safeParse(algorithm);
  if (error) {
    const option = "client_assertion_signing_alg";
    throw invalid(option, `${named(option)} is ${quoted(algorithm!)}: ${error.issues[0]!.message}.`);
  }
  const privateKey = way === "client_assertion_private_key_file" ? pemIn(way, proof, readFile, named) : proof;
  return { kind: "private_key", clientId, privateKey, algorithm: data };
}

/** A token read from a file ends with a newline, which no header can carry. */
function checkedToken(token: string, named: Sources["named"]): string {
  if (/^[\x21-\x7e]+$/.test(token.trim())) return token.trim();
  throw invalid(
    "access_token",
    `${named("access_token")} has spaces or characters that no token has: give only the token.`,
  );
}

/** Node.js trusts nothing more, and says nothing, if the text holds no certificate. */
function authorityFrom({ sources, named }: Sources, readFile: (path: string) => string): Found {
  const options = ["certificate_authority", "certificate_authority_file"] as const;
  const source = sources.find((each) => options.some((option) => each[option] !== undefined));
  const option = options.find((each) => source?.[each] !== undefined);
  const value = option && (source![option] as Found);
  if (typeof value !== "string") return value;
  const text = option === "certificate_authority" ? value : pemIn(option!, value, readFile, named);
  try {
    new X509Certificate(text);
  } catch {
    throw invalid(option!, `${named(option!)} holds no certificate: give certificates as PEM text.`);
  }
  return text;
}

/** The text of the file. If `file` is a key instead of a path, returns it, because an error message would show the key. */
function pemIn(option: Option, file: string, readFile: (path: string) => string, named: Sources["named"]): string {
  if (file.includes("-----BEGIN") || isEncoded(file)) return file;
  try {
    return readFile(file);
  } catch (cause) {
    const { code = "" } = cause as { code?: string };
    throw new DiagnosticError(
      ["TNF-UNREADABLE-FILE", option],
      `${named(option)} is ${/^[^\r\n]{1,200}$/.test(file) ? JSON.stringify(file) : "(not a path)"}${code && `: ${code}`}. ` +
        "Give the path of a PEM file.",
      attributePath(option),
    );
  }
}

/** The base64 of PEM text, or the content of a key without its first line: a message would show it. */
const isEncoded = (text: string) => /^["']?(LS0tLS1CRUdJTi|MI[A-Za-z][A-Za-z\d+/=]{40})/.test(text.trim());

function noCredentials(clientId: Found, proof: Found, variable: Sources["variable"]): DiagnosticError {
  const missing = [...(clientId === undefined ? ["client_id"] : []), ...(proof === undefined ? ["client_secret"] : [])];
  return new DiagnosticError(
    "TNF-NO-CREDENTIALS",
    `${missing.map((name) => `\`${name}\``).join(" and ")} ${missing.length > 1 ? "are" : "is"} missing: set ` +
      `${missing.map(variable).join(" and ")} in the environment (or in the provider block), ` +
      `or give a private key (${variable("client_assertion_private_key_file")}) or a token (${variable("access_token")}). ` +
      (variable("") === "TENANT_"
        ? "The AUTH0_* variables work too."
        : "With `environment_prefix`, variables without the prefix do not count."),
    attributePath(missing[0]!),
  );
}

/* Reads the options of the provider block from environment variables. */

export type Environment = Readonly<NodeJS.ProcessEnv>;
export type Option = keyof z.output<typeof block>;
export type Source = Written<typeof block>;

/** Names of the auth0 provider for our options. */
const otherNames: Readonly<Record<string, Option>> = { API_TOKEN: "access_token" };
/** Options that the environment cannot set. */
const blockAlone = new Set<Option>([
  "allowed_domains",
  "environment_prefix",
  "expectation",
  "protected_request",
  "lockout_guard",
  "plan_warnings",
  "hide_early_access_warning",
]);
/** Other variables of the provider. */
const others = ["embedded_endpoint", "accept_moved", "keep_token"];
const ours = new Set<Option>([
  "endpoint",
  "client_assertion_private_key_file",
  "certificate_authority",
  "certificate_authority_file",
  "max_retry_wait",
  "max_requests_per_second",
  "max_concurrency",
]);

export interface Sources extends Named {
  /** In the order of precedence. */
  readonly sources: readonly Source[];
}

/** Undefined while the prefix is unknown. With a prefix, only its variables count: those of other tenants must not complete them. */
function sourcesOf(written: Source, environment: Environment): Sources | undefined {
  const prefix = written.environment_prefix;
  if (prefix === unknown) return undefined;
  const own = typeof prefix === "string" ? `${prefix}_TENANT_` : "TENANT_";
  const setBy = new Map<string, string>();
  return {
    sources: [
      written,
      fromEnvironment(environment, own, setBy),
      ...(typeof prefix === "string" ? [] : [fromEnvironment(environment, "AUTH0_", setBy)]),
    ],
    variable: (option) => own + option.toUpperCase(),
    named: (option) => {
      const variable = written[option as Option] === undefined ? setBy.get(option) : undefined;
      return `\`${option}\`${variable === undefined ? "" : ` (${variable})`}`;
    },
  };
}

function fromEnvironment(environment: Environment, prefix: string, setBy: Map<string, string>): Source {
  const isOther = prefix === "AUTH0_";
  const found = Object.entries(environment).flatMap(([name, value]) => {
    if (!name.startsWith(prefix) || !value) return [];
    const bare = name.slice(prefix.length);
    const option = ((isOther && otherNames[bare]) || bare.toLowerCase()) as Option;
    if (!isOther) checkVariable(name, value, option);
    const isOption = Object.hasOwn(block.shape, option) && !blockAlone.has(option) && !(isOther && ours.has(option));
    if (isOption && !setBy.has(option)) setBy.set(option, name);
    return isOption ? [[option, value]] : [];
  });
  return Object.fromEntries(found) as Source;
}

/** A setting that nobody reads may be the one that somebody relies on. The value of a misspelled name may be a secret. */
function checkVariable(name: string, value: string, option: Option): void {
  const probable = nearest(option, [...Object.keys(block.shape), ...others]);
  if (probable === undefined || (probable === option && !blockAlone.has(option))) return;
  throw new DiagnosticError(
    ["TNF-INVALID-VALUE", probable],
    probable === option
      ? `\`${name}\` is ${quoted(value)}, but the environment cannot set \`${option}\`: write it into the provider block, and remove the variable.`
      : `The variable \`${name}\` is not known: \`${name.slice(0, -option.length)}${probable.toUpperCase()}\` is probably meant. Rename the variable.`,
    attributePath(probable),
  );
}
