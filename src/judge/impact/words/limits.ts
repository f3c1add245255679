/** Words a limit, and what happens to the limit of applications. */
import { clipped, counted, hidden } from "../../../formats/text/lists";
import type { LimitFacts, OwnLimitFacts } from "../rate-limit-policy/facts";
import { hostOf, isShared, pending, rateOf, unknownCallers, type Limit } from "../rate-limit-policy/policy";
import type { Template } from "./template";
import { doubtWords } from "./assumption";

/** `Limit of third-party applications: block above 50 requests/s for all together -> block above 10 requests/s for all together.` */
export const limitTemplate: Template<LimitFacts> = {
  sentence: (facts, { assumptions }) => {
    const { was, is, consumer_selector: selector } = facts;
    // Two addresses of one host differ in their paths.
    const isOneHost = was !== null && is !== null && hostOf(was) !== undefined && hostOf(was) === hostOf(is);
    const withPath = isOneHost && was.redirect_uri !== is.redirect_uri;
    const side = (limit: Limit | null) => limitWords(limit, selector, withPath);
    return `Limit of ${callersOf(facts)}: ${side(was)} -> ${side(is)}.${doubtWords(assumptions, 1)}`;
  },
  who: callersOf,
};

/** `block above 5 requests/s for each application (default)`: the limit of the applications of a selector, and whose it is. */
function limitWords(limit: Limit | null, selector: string, withPath = false): string {
  const isOther = limit?.by !== selector && (limit?.by === "default" || isShared(limit));
  return `${configurationWords(limit, withPath)}${sharedWords(limit)}${isOther ? ` (${limit!.by})` : ""}`;
}

/** A group shares one limit. The default is for each application. */
function sharedWords(limit: Limit | null): string {
  const rate = rateOf(limit);
  if (rate === undefined || rate === 0 || rate === Infinity) return "";
  if (isShared(limit)) return " for all together";
  return limit?.by === "default" ? " for each application" : "";
}

/** `block above 25 requests/s`, `redirect every request to slow.example.com` */
function configurationWords(limit: Limit | null, withPath: boolean): string {
  if (!limit) return "no limit";
  const { action, limit: number, redirect_uri: uri } = limit;
  if (action === pending) return "known only after the apply";
  const isKnown = ["block", "log", "redirect"].includes(action);
  if (!isKnown) return action;
  const host = withPath ? uri : (hostOf(limit) ?? uri);
  const to =
    action !== "redirect"
      ? ""
      : uri === pending
        ? " to an unknown address"
        : ` to ${clipped(host ?? "another address")}`;
  if (number === null) return `${action} above a limit that is known only after the apply${to}`;
  return number === 0 ? `${action} every request${to}` : `${action} above ${counted(number, "request")}/s${to}`;
}

function callersOf({ resource, consumer, consumer_selector: selector }: LimitFacts): string {
  if ([resource, consumer].includes(pending) || selector.startsWith(unknownCallers))
    return "applications that are known only after the apply";
  const others = [resource, consumer].filter((name) => !["oauth_authentication_api", "client"].includes(name));
  const place = others.length > 0 ? ` (${others.map((name) => clipped(name)).join(", ")})` : "";
  return `${selectorWords(selector)}${place}`;
}

const groups: ReadonlyMap<string, string> = new Map([
  [hidden, `${hidden} applications`],
  ["default", "all applications without a policy of their own"],
  ["third_party_clients", "third-party applications"],
  ["cimd_clients", "applications with a client ID metadata document"],
]);

function selectorWords(selector: string): string {
  const client = /^client_id:(.+)/s.exec(selector)?.[1];
  return (
    groups.get(selector) ??
    (client === undefined ? `applications "${clipped(selector)}"` : `application ${clipped(client)}`)
  );
}

/** Two sentences: what happens, and what to do. */
export const ownLimitTemplate: Template<OwnLimitFacts> = {
  sentence: ({ client, rate, selector, isCertain }) => {
    const may = isCertain ? "leaves" : "may leave";
    const left = rate === 0 ? "no request" : `${counted(rate, "request")}/s`;
    const end =
      rate === 0
        ? "No later plan could get a token, so Terraform could not undo this."
        : "Parallel runs of Terraform then fail to get a token.";
    const remedy = selector === `client_id:${client}` ? "set" : "give this application a policy of its own with";
    return (
      `The policy for "${clipped(selector)}" ${may} ${left} for a token to Terraform's own application ${clipped(client)}. ${end} ` +
      `Raise the limit, or ${remedy} \`action = "allow"\`.`
    );
  },
  who: ({ client }) => `Terraform's own application ${clipped(client)}`,
};
