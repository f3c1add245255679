/** `review --same-as`: the plan makes exactly the changes of an earlier review. */
import { review } from "../../src/review/commands/command";
import type { Values } from "../../src/judge/impact/model";
import { Readable } from "node:stream";
import { openFolder } from "./support/command";
import { acl, allow, block, change, planText } from "./support/plan";

const { at, put } = openFolder();
const edge = () => ({ stdin: Readable.from([]), environment: {} });
const rule = (cidr: string) => ({ action: block, match: { ipv4_cidrs: [cidr] } });
const widened = (to = "203.0.112.0/23", more = {}) =>
  change("tenant_network_acl.office", acl(10, rule("203.0.113.0/24")), acl(10, rule(to)), more);
const bare = { ...acl(5, { action: allow }), id: null };
const created = change("tenant_network_acl.new", null, bare, { unknown: { id: true } });
const client = (name: string, more = {}) =>
  change("auth0_client.web", { name: "a", secret: "s" }, { name, secret: "s" }, more);

const [secretName, secretOne] = ["name", "secret"].map((name) => client("b", { sensitive: { [name]: true } })) as [
  Values,
  Values,
];

async function compared(approved: readonly Values[], now: readonly Values[], more = {}) {
  await review([put("approved.json", planText(approved))], { output: at("review.json") }, "0.0.0", edge());
  const written = jest.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    const code = await review([put("now.json", planText(now, more))], { sameAs: at("review.json") }, "0.0.0", edge());
    return [code, written.mock.calls.join("")];
  } finally {
    written.mockRestore();
  }
}

test.each<[string, readonly Values[], readonly Values[]]>([
  ["the same changes", [widened(), created], [created, widened()]],
  ["a sensitive value", [secretOne], [secretOne]],
  ["no change", [], []],
])("%s: exit code 0", async (_, approved, now) => {
  expect(await compared(approved, now)).toEqual([
    0,
    expect.stringMatching(/^✔ The plan makes exactly the approved changes\.\n$/),
  ]);
});

test.each<[string, readonly Values[], readonly Values[], RegExp, object?]>([
  ["another value after", [widened()], [widened("203.0.112.0/22")], /office \(update\) has other values/],
  ["another value before", [client("b")], [change("auth0_client.web", { name: "x" }, { name: "b" })], /other values/],
  ["one more change", [widened()], [widened(), created], /new \(create\) is not in the approved review/],
  ["one change less", [widened(), created], [widened()], /tenant_network_acl\.new was approved/],
  ["an unknown value", [widened()], [widened(undefined, { unknown: { rule: true } })], /not known yet/],
  ["a sensitive value that changes", [secretName], [secretName], /sensitive one/],
  ["an incomplete plan", [widened()], [widened()], /The plan is incomplete/, { complete: false }],
])("%s: exit code 4", async (_, approved, now, line, more = {}) => {
  expect(await compared(approved, now, more)).toEqual([4, expect.stringMatching(line)]);
});
