/** Finds changes of a tenant that the review cannot read, so that it does not promise that nothing changes. */
import { andWords } from "../impact/list-words";
import { acts, type PlannedObject } from "../impact/model";
import { block, meant } from "../impact/value";
import { kindOf } from "../kinds/kinds";
import { rateLimitPolicy } from "../kinds/rate-limit-policy";
import { objectsOf } from "./objects";
import type { Plan } from "./plan";

const mostNamed = 3;

/** The names of the changes that the review cannot read. */
export function unreadIn(plans: readonly Plan[]): string[] {
  return [...new Set(plans.flatMap((plan) => [...unknownTypes(plan), ...objectsOf(plan).flatMap(unreadParts)]))];
}

/** In a sentence. undefined: the review reads all changes. */
export function unreadWords(plans: readonly Plan[]): string | undefined {
  const found = unreadIn(plans);
  if (found.length === 0) return undefined;
  const rest = found.length - mostNamed;
  const names = [...found.slice(0, mostNamed), ...(rest > 0 ? [`${rest} more`] : [])];
  return `The plan also has changes that this version does not read: ${andWords(names)}.`;
}

/** Types of the providers, such as `auth0_attack_protection`. */
function unknownTypes({ resource_changes: changes }: Plan): string[] {
  const unknown = changes.filter(
    ({ mode = "managed", type, change }) =>
      mode === "managed" && /^(?:tenant|auth0)_/.test(type) && acts(change) && !kindOf(type),
  );
  return unknown.map(({ type }) => type);
}

const knownActions: ReadonlySet<string> = new Set(["no-op", "create", "read", "update", "delete", "forget"]);

function unreadParts({ address, type, actions, before, after }: PlannedObject): string[] {
  const strange = actions.filter((action) => !knownActions.has(action));
  const kind = kindOf(type);
  const read = new Set([...(kind?.attributes ?? []), kind?.expiry?.expired]);
  const names = Object.keys(before && after ? after : {}).filter((name) => !read.has(name));
  const parts = names.filter((name) => isOther(before?.[name], after?.[name]));
  return [
    ...[...strange, ...(actions.length === 0 ? ["(none)"] : [])].map((action) => `the action ${action} of ${address}`),
    ...(actions.includes("update") ? parts : []).map((name) => `${name} of ${address}`),
    ...(kind === rateLimitPolicy ? limitParts(before, after) : []).map((name) => `${name} of ${address}`),
  ];
}

/** The service computes a value that is known only after the apply. */
const isOther = (old: unknown, now: unknown) =>
  typeof now !== "symbol" && JSON.stringify(meant(old)) !== JSON.stringify(meant(now));

const limitNames: ReadonlySet<string> = new Set(["action", "limit", "redirect_uri"]);

/** The parts of a limit that this version does not know. */
function limitParts(...sides: readonly PlannedObject["before"][]): string[] {
  const [old = {}, now = {}] = sides.map((side) => {
    const limit = block(side?.["configuration"]);
    return typeof limit === "object" ? limit : {};
  });
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((name) => !limitNames.has(name));
  return names.filter((name) => JSON.stringify(meant(old[name])) !== JSON.stringify(meant(now[name])));
}
