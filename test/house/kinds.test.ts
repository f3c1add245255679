/** The list of kinds is the source: few files of src name a kind, in any spelling. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { kinds } from "../../src/kinds/kinds";

const src = path.join(__dirname, "../../src");
const texts = readdirSync(src, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll(path.sep, "/"))
  .filter((file) => file.endsWith(".ts") && !file.startsWith("constructs/bindings/"))
  .map((file) => readFileSync(path.join(src, file), "utf8"));

/** The most files that may name a kind. Lower a number when it falls. The goal for a policy is 25. */
const most: Readonly<Record<string, number>> = {
  network_acl: 146,
  rate_limit_policy: 57,
  organization_member_set: 26,
  network_acl_key: 30,
};

test.each(kinds)("few files name $name", ({ name }) => {
  // `rate_limit_policies`, `RateLimitPolicy`, `rate limit policy`; but not a key for an ACL.
  const words = name.replace(/y$/, "(?:y|ies)").replaceAll("_", "[-_ ]?");
  const named = new RegExp(name === "network_acl" ? `${words}(?![-_ ]?key)` : words, "i");
  expect(texts.filter((text) => named.test(text)).length).toBeLessThanOrEqual(most[name]!);
});
