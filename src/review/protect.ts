/** Files of `--protect`: the guard that a change is held to, as the base branch has it. */
import { isAddress, quoted } from "../access/access";
import { countries } from "../resources/country";
import { isPrintable } from "../text/printable";
import { ReviewError } from "./error";
import { isKnownRequest, unknownFacts, type ProtectedRequest } from "../impact/lockout/protected-request";
import type { BaseGuard as Base } from "../impact/lockout/guard-findings";
import { guardsOf } from "./guard";
import { readDocument, type Edge } from "./input";
import { parsePlan } from "./plan";
import { sharesOf } from "./share";
import type { Site } from "./site";

export interface BaseGuard extends Base {
  /** The tenant that it is about; left out: any. */
  readonly site?: Site;
}

/** The requests in a JSON file, or the provider blocks of a plan of the base branch. */
export async function readGuards(file: string, edge: Edge): Promise<BaseGuard[]> {
  const text = await readDocument(file, edge);
  let read: unknown;
  try {
    read = JSON.parse(text.trimStart().replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new ReviewError(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
  const isPlan = typeof read === "object" && read !== null && "format_version" in read;
  return isPlan ? guardsInPlan(text, file) : [guardIn(read, file)];
}

function guardsInPlan(text: string, file: string): BaseGuard[] {
  const guards = sharesOf(parsePlan(text, file)).flatMap(({ site, plan }) =>
    guardsOf(plan).map((guard) => ({ ...guard, file, site })),
  );
  if (guards.every(({ requests }) => requests.length === 0)) {
    throw new ReviewError(
      `${file} has no \`protected_requests\` in a provider "tenant" block (plans leave out dynamic blocks). Give a plan that has ` +
        "some, or a JSON list of requests.",
    );
  }
  for (const { strength, requests } of guards) {
    if (strength === undefined) {
      throw new ReviewError(`${file}: this plan does not show the value of \`lockout_guard\`. Write it as a constant.`);
    }
    const open = requests.find((request) => !isKnownRequest(request));
    if (open) {
      const names = unknownFacts(open)
        .map((name) => `\`${name}\``)
        .join(", ");
      throw new ReviewError(
        `${file}: this plan does not show ${names} of a request in \`protected_requests\`. ${remedy}`,
      );
    }
  }
  return guards;
}

const remedy = "Write a constant or a variable of the root module, or give a JSON list of requests.";

const strengths = ["error", "warn", "off"] as const;

function guardIn(read: unknown, file: string): BaseGuard {
  const {
    lockout_guard = "error",
    protected_requests,
    ...others
  } = asObject(Array.isArray(read) ? { protected_requests: read } : read, file);
  const [foreign] = Object.keys(others);
  if (foreign !== undefined) {
    throw new ReviewError(`${file}: "${foreign}" is not known: use protected_requests and lockout_guard only.`);
  }
  const strength = strengths.find((one) => one === lockout_guard);
  if (!strength) {
    throw new ReviewError(
      `${file}: lockout_guard is ${JSON.stringify(lockout_guard)}: choose one of ${strengths.join(", ")}.`,
    );
  }
  if (!Array.isArray(protected_requests) || protected_requests.length === 0) {
    throw new ReviewError(
      `${file} lists no protected requests: give at least one, such as {"name": "our CI", "ip": "203.0.113.7"}.`,
    );
  }
  return {
    file,
    strength,
    requests: protected_requests.map((one: unknown, index) => requestIn(one, `${file}, request ${index + 1}`)),
  };
}

/** A check of a value, and the form it must have, in words. */
type Check = readonly [isRight: (value: unknown) => boolean, words: string];

const text: Check = [
  (value) => typeof value === "string" && value !== "" && isPrintable(value),
  "a text that is not empty and has only visible characters",
];
const matching = (form: RegExp, words: string): Check => [
  (value) => typeof value === "string" && form.test(value),
  words,
];
const address: Check = [(value) => typeof value === "string" && isAddress(value), "an IPv4 or IPv6 address"];

const checks: Readonly<Record<string, Check>> = {
  name: text,
  path: matching(/^\/[!-~]*$/, "a path that begins with /"),
  ip: address,
  connecting_ip: address,
  asn: [(value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32, "an AS number"],
  country: [(value) => countries.includes(value as string), "an ISO 3166-1 alpha-2 code such as DE"],
  subdivision: matching(/^[A-Z]{2}-[A-Z0-9]{1,3}$/, "an ISO 3166-2 code such as US-CA"),
  user_agent: text,
  hostname: matching(/^[a-z0-9.-]+$/i, "a host name"),
  ja3: text,
  ja4: text,
};

function requestIn(read: unknown, where: string): ProtectedRequest {
  const { name, path, ...facts } = asObject(read, where);
  for (const [fact, value] of Object.entries({ name, path, ...facts })) {
    if (value === undefined) continue;
    const [isRight, words] = (Object.hasOwn(checks, fact) && checks[fact]) || [];
    if (!isRight) {
      throw new ReviewError(
        `${where}: "${fact}" is not a fact of a request. The facts are ${Object.keys(checks).join(", ")}.`,
      );
    }
    if (!isRight(value)) {
      const shown = typeof value === "string" ? quoted(value) : JSON.stringify(value);
      throw new ReviewError(`${where}: ${fact} is ${shown}: give ${words}.`);
    }
  }
  if (path === undefined && Object.keys(facts).length === 0) {
    throw new ReviewError(`${where} describes no request: give its ip, or another fact.`);
  }
  const called = Object.entries({ ...(path !== undefined && { path }), ...facts }).map((entry) => entry.join(" "));
  return {
    called: (name as string | undefined) ?? called.join(", "),
    ...(path !== undefined && { path: path as string }),
    facts,
  };
}

function asObject(read: unknown, where: string): { readonly [name: string]: unknown } {
  if (typeof read === "object" && read !== null && !Array.isArray(read)) return { ...read };
  throw new ReviewError(`${where}: give an object of facts, such as {"name": "our CI", "ip": "203.0.113.7"}.`);
}
