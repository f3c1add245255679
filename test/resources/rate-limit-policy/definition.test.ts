/** The definition of a rate limit policy accepts valid policies and reports each mistake once. */
import { unknown } from "../../../src/cty/value";
import { rateLimitPolicy } from "../../../src/resources/rate-limit-policy/definition";
import { judged } from "../support/judged";

const said = (configuration: object, rest: object = {}) =>
  judged(rateLimitPolicy, { consumer_selector: "default", configuration, ...rest });

test.each([
  [{ action: "allow" }],
  [{ action: "block", limit: 0 }],
  [{ action: "log", limit: 10000 }],
  [{ action: "redirect", limit: 1, redirect_uri: "https://a.example" }],
  [{ action: unknown, limit: 1, redirect_uri: "https://a.example" }],
  [{ action: "block", limit: unknown }],
])("accepts %j", (configuration) => expect(said(configuration)).toEqual([]));

const redirect = (redirect_uri: string) => ({ action: "redirect", limit: 1, redirect_uri });

test.each<[name: string, detail: string, configuration: object, rest?: object]>([
  ["block without limit", "`configuration.limit` is missing: the action block needs", { action: "block" }],
  ["allow with limit", "the action allow has no limit: remove it.", { action: "allow", limit: 1 }],
  ["redirect without URI", "`configuration.redirect_uri` is missing", { action: "redirect", limit: 1 }],
  [
    "URI without redirect",
    "`configuration.redirect_uri` is set, but the action is log",
    { action: "log", limit: 1, redirect_uri: "https://a.example" },
  ],
  ["plain http", "give a whole https URL", redirect("http://a.example")],
  ["an incomplete URL", "give a whole https URL", redirect("a.example/path")],
  ["two URLs in one", "give a whole https URL", redirect("https://a.example\\@b.example")],
  ["an unknown action", '`configuration.action` is "drop": choose one of', { action: "drop", limit: 1 }],
  [
    "a limit that is too high",
    "`configuration.limit` is 10001: use a whole number from 0",
    { action: "log", limit: 10001 },
  ],
  ...[
    ["defualt", "default"],
    ["third-party-clients", "third_party_clients"],
    ["clientid:abc", "client_id:abc"],
  ].map(([consumer_selector, meant]): [string, string, object, object] => [
    `the selector ${consumer_selector}`,
    `${JSON.stringify(meant)} is probably meant.`,
    { action: "allow" },
    { consumer_selector },
  ]),
  ["a long selector", "use at most 255 characters", { action: "allow" }, { consumer_selector: "x".repeat(256) }],
])("reports %s as one error", (_name, detail, configuration, rest = {}) => {
  const errors = said(configuration, rest).filter((text) => text.startsWith("error: "));
  expect(errors).toEqual([expect.stringContaining(detail)]);
});

test.each<[name: string, rest: object]>([
  ["consumer_selector", { consumer_selector: "all_machines" }],
  ["resource", { resource: "another_api" }],
  ["consumer", { consumer: "user" }],
])("reports an unknown %s as one warning", (name, rest) => {
  const [value] = Object.values(rest) as string[];
  expect(said({ action: "allow" }, rest)).toEqual([
    expect.stringMatching(`^warning: This version does not know the \`${name}\` "${value}"`),
  ]);
});
