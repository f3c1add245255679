/** Keys of HTTP message signatures: whoever has one can sign requests that the rules of network ACLs tell from others. */
import * as z from "zod";
import { attributePath } from "../../cty/path";
import { unknown } from "../../cty/value";
import { attribute, rule } from "../../sdk/attribute";
import { define } from "../../sdk/definition";
import { visible } from "../characters";
import { derivedName, doubtOf, fingerprintOf, objectionTo } from "./material";

const material = (name: string) =>
  rule(z.string(), (text, report) => {
    const objection = objectionTo(text);
    if (objection) return report(`\`${name}\` is no material of a key: ${objection}.`);
    const doubt = doubtOf(text);
    if (doubt) report(`\`${name}\` is weak material of a key: ${doubt}. Use random bytes.`, [], "warning");
  });

const knownAlgorithm = rule(z.string(), (alg, report) => {
  if (alg === "hmac-sha256") return;
  report(
    `\`alg\` is ${JSON.stringify(alg)}, which this version does not know: hmac-sha256 is known. It is passed on as it is.`,
    [],
    "warning",
  );
});

const text = visible(z.string().min(1, "give a text that is not empty"));

const config = z.object({
  name: attribute(
    text.max(255, "use at most 255 characters").optional(),
    "Name of the key, unique in the tenant, at most 255 characters. Of the two `name` and `name_prefix` give one.",
    { derived: true, replace: true, example: "edge-2026" },
  ),
  name_prefix: attribute(
    text.max(247, "use at most 247 characters").optional(),
    "What the name begins with; eight digits of the fingerprint follow. So the name changes with the material, and a new " +
      "key can be made before the old one goes. At most 247 characters.",
    { example: "edge-" },
  ),
  alg: attribute(visible().default("hmac-sha256"), "The algorithm. Default: `hmac-sha256`.", {
    replace: true,
    rules: [knownAlgorithm],
    values: ["hmac-sha256"],
    example: "hmac-sha256",
  }),
  value_wo: attribute(
    z.string().optional(),
    "The material: base64 of 32 to 512 random bytes. Write-only: in no state and no plan, so that it may be ephemeral. " +
      "Takes Terraform or OpenTofu 1.11. Of the two `value_wo` and `value` give one.",
    { writeOnly: true, sensitive: true, rules: [material("value_wo")] },
  ),
  value: attribute(
    z.string().optional(),
    "The material, for older versions of Terraform: it stands in state and plan, hidden from who reads the terminal alone.",
    { sensitive: true, rules: [material("value")] },
  ),
});

const computed = z.object({
  id: attribute(z.string(), "Id of the key, by which rules and signatures name it."),
  fingerprint: attribute(
    z.string(),
    "SHA-256 of the material in hexadecimal. It is known while planning, so that other material shows, as a new key. Of " +
      "random bytes it tells nothing.",
    { derived: true, replace: true },
  ),
  created_at: attribute(z.string(), "When the key was made, in UTC."),
  updated_at: attribute(z.string(), "When the key was last changed, in UTC."),
});

const oneOf = (one: keyof typeof config.shape, other: keyof typeof config.shape, why: string) =>
  rule(config, (written, report) => {
    const given = [one, other].filter((name) => written[name] !== undefined);
    if (given.length === 0) report(`\`${one}\` is missing: give it, or \`${other}\`. ${why}`, attributePath(one));
    if (given.length === 2)
      report(`\`${one}\` and \`${other}\` exclude each other: remove one. ${why}`, attributePath(other));
  });

export const networkAclKey = define({
  name: "network_acl_key",
  description:
    "A key of HTTP message signatures, by which rules of network ACLs tell signed requests from others. Early Access.",
  config,
  computed,
  identity: computed.pick({ id: true }),
  rules: [
    oneOf("name", "name_prefix", "With the second the name changes together with the material."),
    oneOf("value_wo", "value", "The first stands in no state."),
  ],
  derive({ name_prefix: prefix, value_wo, value = value_wo }) {
    const isMaterial = typeof value === "string" && objectionTo(value) === undefined;
    const fingerprint = isMaterial ? fingerprintOf(value) : unknown;
    const isNamed = typeof prefix === "string" && fingerprint !== unknown;
    return { fingerprint, name: isNamed ? derivedName(prefix, fingerprint) : unknown };
  },
});
