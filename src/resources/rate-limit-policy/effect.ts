/** What the change of one rate limit policy does, in words. */
import type { Config, State } from "../../sdk/definition";
import type { Effect } from "../effects";
import type { rateLimitPolicy } from "./definition";

type Definition = typeof rateLimitPolicy;

const stops = new Set(["block", "redirect"]);
const beyond = {
  allow: "lets all requests through",
  block: "blocks",
  log: "only records",
  redirect: "redirects",
} as const;

export function effectOf(prior: State<Definition>, planned: Config<Definition>): Effect {
  const [was, is] = [prior.configuration, planned.configuration];
  const shut = stops.has(is.action) && is.limit === 0 && was.limit !== 0;
  return {
    title: `Rate limit policy ${prior.id}`,
    words: `${words(is)}, in place of: ${words(was)}; consumer_selector ${planned.consumer_selector}`,
    dangerous: stops.has(was.action) !== stops.has(is.action) || shut,
  };
}

function words({ action, limit }: Config<Definition>["configuration"]): string {
  if (action === "allow") return beyond.allow;
  return `${beyond[action]} ${limit === 0 ? "every request" : `what exceeds ${limit} requests a second`}`;
}
