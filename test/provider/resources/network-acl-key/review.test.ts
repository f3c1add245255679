/** A plan compares network ACL keys with each other, with rules, and with the tenant. */
import { randomBytes } from "node:crypto";
import { attributePath } from "../../../../src/formats/cty/path";
import { protocolPath } from "../../../../src/provider/sdk/diagnostic";
import { openReview, type Planned, type Said } from "../support/reviewing";
import { eachTest } from "../../../support/each-test";

const review = eachTest(() => openReview({ flags: ["tenant_acl_hmac_signature"] }));

const material = () => randomBytes(32).toString("base64");
const key = (name: string, value = material()) => ({ alg: "hmac-sha256", name, value });
const coming = (name: string): Planned => ({ kind: "network_acl_key", config: key(name) });
const ruled = (...ids: string[]) => ({
  description: "Signed alone",
  active: true,
  priority: 7,
  rule: {
    action: { block: true },
    not_match: { http_message_signature: { keys: ids.map((id) => ({ id })) } },
    scope: "authentication",
  },
});

const stand = (name: string) =>
  review.put("network_acl_key", key(name), "abcdefghij"[review.emulator.store.networkAclKeys.size]!);
const standing = (...ids: string[]) => review.put("network_acl", ruled(...ids), "a");
const words = (said: Said["errors"]) => said.map(({ summary, detail }) => `${summary}: ${detail}`);
const details = ({ errors }: Said) => words(errors);
/** The errors and warnings about names, users and the number of keys. */
const refused = ({ errors, warnings }: Said) =>
  words(
    [...errors, ...warnings].filter(({ summary }) => /^(The name|A network ACL key in use|More keys)/.test(summary!)),
  );
test("refuses an eleventh key, unless the same plan destroys a key", async () => {
  const there = Array.from({ length: 9 }, (_, index) => stand(`k${index}`));
  expect(refused(await review.plan("network_acl_key", key("tenth")))).toEqual([]);
  expect(refused(await review.planAll([coming("tenth"), coming("eleventh")]))).toEqual([
    expect.stringContaining("there would be 11 keys, but a tenant can have at most 10."),
  ]);
  const going: Planned = { kind: "network_acl_key", prior: there[0]! };
  expect(refused(await review.planAll([coming("tenth"), coming("eleventh"), going]))).toEqual([]);
});

test("refuses eleven new keys without a state, with each number of calls at once", async () => {
  const eleven = Array.from({ length: 11 }, (_, index) => coming(`k${index}`));
  const first = await openReview({ flags: ["tenant_acl_hmac_signature"] }, { phase: "unknown" });
  try {
    expect(refused(await first.planAll(eleven.slice(0, 10)))).toEqual([]);
    for (const parallelism of [10, 1]) {
      expect(refused(await first.planAll(eleven, {}, parallelism))).toEqual([
        expect.stringContaining("there would be 11 keys, but a tenant can have at most 10."),
      ]);
    }
  } finally {
    await first.close();
  }
});

test("refuses to create a successor before its old key is destroyed, when the tenant has 10 keys", async () => {
  const [prior] = Array.from({ length: 10 }, (_, index) => stand(`k${index}`));
  const rotated: Planned = { kind: "network_acl_key", config: key("next"), prior };
  expect(refused(await review.planAll([rotated]))).toEqual([
    expect.stringMatching(/^More keys than .*: The tenant has 10 keys, .* before it destroys key_a+ \(key "k0"\)/),
  ]);
  standing(prior!.id);
  expect(refused(await review.planAll([rotated]))).toEqual([
    expect.stringContaining(
      "Remove a key that no rule names, or leave out create_before_destroy if no rule names the old key",
    ),
  ]);
});

test("refuses to destroy a key that a rule names, unless the same plan takes the key out of the rule", async () => {
  const prior = stand("edge");
  const other = stand("other");
  const acl = standing(prior.id);
  const going: Planned = { kind: "network_acl_key", prior };
  const kept: Planned = { kind: "network_acl", prior: acl, config: ruled(prior.id) };
  for (const parallelism of [10, 1]) {
    const { errors } = await review.planAll([going, kept], {}, parallelism);
    expect(words(errors)).toEqual([
      expect.stringMatching(
        /^A network ACL key in use would .*: .*"Signed alone" \(priority 7\) still names the key "edge" \(key_a+\), which will be destroyed\. /,
      ),
    ]);
  }
  // The ACL may be in another stack, or its plan may wait for the one of the key.
  const timersBefore = review.timers();
  const unseen = await review.planAll([going]);
  expect(review.timers() - timersBefore).toBeGreaterThan(20); // as long as a refusal: its plan may wait for that of another key
  expect(details(unseen)).toEqual([]);
  expect(refused(unseen)).toEqual([expect.stringContaining("so the apply fails unless that rule changes before")]);
  const freed: Planned = { kind: "network_acl", prior: acl, config: ruled(other.id) };
  expect(refused(await review.planAll([going, freed]))).toEqual([]);
  expect(refused(await review.planAll([freed, going]))).toEqual([]);
  expect(refused(await review.planAll([going, { kind: "network_acl", prior: acl }]))).toEqual([]);
  const another: Planned = { kind: "network_acl", config: { ...ruled(prior.id), priority: 8 } };
  expect(refused(await review.planAll([going, freed, another]))).toEqual([
    expect.stringContaining('"Signed alone" (priority 8) still names the key "edge"'),
  ]);
});

test("warns once of a rule that names a missing key, and reads no keys for a rule without keys", async () => {
  const { id } = stand("edge");
  const strange = "A key that the tenant does not have";
  const strangers = async (...ids: string[]) =>
    (await review.plan("network_acl", ruled(...ids))).warnings.filter(({ summary }) => summary === strange);
  expect(await strangers(id)).toEqual([]);
  expect(await strangers(id, "key_gone")).toMatchObject([
    {
      detail: expect.stringContaining(`The tenant has ${id} ("edge")`),
      attribute: protocolPath(attributePath("rule")),
    },
  ]);
  const before = review.emulator.requests.length;
  await review.plan("network_acl", { ...ruled(), rule: { ...ruled().rule, not_match: { asns: [1] } } });
  const asked = review.emulator.requests.slice(before).map(({ path }) => path);
  expect(asked).not.toContain("/api/v2/keys/network-acls");
});
