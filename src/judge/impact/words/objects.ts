/** Words what happens to objects of a plan. */
import { shellWord } from "../../../formats/text/printable";
import { andWords, hidden, listed } from "../../../formats/text/lists";
import type {
  CollisionFacts,
  DuplicateFacts,
  FeatureFacts,
  KeyFacts,
  KeyName,
  KeyNumberFacts,
  ObjectFacts,
  ObjectName,
  SameKeyFacts,
  UnknownKeyFacts,
} from "../objects/facts";
import type { Template } from "./template";

/** `key "edge-2026"` */
export function keyWords({ name, prefix, isSecret }: KeyName): string {
  if (isSecret) return `key ${hidden}`;
  if (name !== undefined) return `key "${name}"`;
  return `key whose name ${prefix === undefined ? "" : `begins with "${prefix}" and `}is known after apply`;
}

/** `tenant_network_acl_key.edge (key "edge-2026")` */
const nameOf = ({ address, key }: ObjectName): string => (key ? `${address} (${keyWords(key)})` : address);

const secrets = { rotated: "another secret and ", renamed: "the same secret and ", replaced: "" };

const ends = {
  kept: "the plan keeps that change",
  undone: "the apply undoes that change",
  destroyed: "the apply destroys it",
};

export const objectTemplate: Template<ObjectFacts> = {
  sentence: (facts) => {
    const title = nameOf(facts.object);
    switch (facts.change) {
      case "created":
        return `${title} is created.`;
      case "destroyed":
        return `${title} is destroyed${facts.isLeftOver ? ": an earlier apply replaced it, and could not destroy it" : ""}.`;
      case "forgotten":
        return `${title} is no longer managed by Terraform. The object stays on the tenant unchanged.`;
      case "imported":
        return `Terraform imports ${title} from the tenant.`;
      case "adopted":
        return `The tenant already has an identical ${facts.noun}${facts.id === undefined ? "" : `, ${facts.id}`}. The apply adopts it as ${title} and creates nothing.`;
      case "replaced":
        return `${title} is ${replacedWords(facts)}`;
      case "moved":
        return `${facts.from} is now ${title}; the object itself stays.`;
      case "renamed":
        return (
          `${title} creates the same ${facts.noun} that ${facts.from} manages. If you renamed the resource or moved it into a module, ` +
          `write \`moved\` with from = ${facts.from} and to = ${title}, so that the object stays unchanged. ` +
          "Otherwise Terraform creates and destroys in any order, so the tenant could end with no object."
        );
      case "drifted": {
        const how = facts.attributes ? `was changed (${facts.attributes.join(", ")})` : "was deleted";
        return `${title} ${how} outside Terraform since the last apply: ${ends[facts.planned]}.`;
      }
    }
  },
};

function replacedWords({
  stays,
  isList,
  next,
  how = "replaced",
}: Extract<ObjectFacts, { readonly change: "replaced" }>): string {
  if (stays)
    return "replaced. The old object stays on the tenant unchanged, but Terraform no longer manages it. The apply creates a new object.";
  if (isList) return "replaced: the apply destroys the list and creates it again.";
  if (!next) return "replaced: the apply destroys the old object and creates a new one with another id.";
  return `${how}: the ${keyWords(next)} takes its place, with ${secrets[how]}another id.`;
}

const mostManagers = 10;

export const duplicateTemplate: Template<DuplicateFacts> = {
  sentence: ({ managers, identity, isList }) => {
    const names = managers.map(({ address, plan, goes }) => {
      const name = plan === undefined ? address : `${address} of ${plan}`;
      return goes ? `${name} (destroyed)` : name;
    });
    return (
      `${andWords(listed(names, mostManagers))} manage the same ${identity}. Each apply of one resource undoes the other, so the result is not known. ` +
      (isList
        ? "Put all members into one of them, or set `exclusive = false` in all of them. Otherwise remove"
        : "Remove") +
      " all but one of these resources from Terraform, with a removed block (destroy = false) or `terraform state rm`." +
      (managers.some(({ goes }) => goes) ? " If the resource only has another name, write `moved`." : "")
    );
  },
};

export const collisionTemplate: Template<CollisionFacts> = {
  sentence: ({ noun, key, created, destroyed }) =>
    destroyed === undefined
      ? `${created} creates a ${noun} with ${key} before it destroys the old one, and a tenant has only one. The apply fails. ` +
        "Give the new object another key, or remove `create_before_destroy`."
      : `${destroyed} is destroyed while ${created} creates a ${noun} with the same ${key}. A tenant has only one, so the apply ` +
        "may fail and leave neither. If the resource only has another name, write `moved`. Otherwise apply the removal first.",
};

export function sameKeyWords({ noun, attributes, value, titles, holder }: SameKeyFacts): string {
  const key = attributes.at(-1)!;
  const names = andWords(attributes.map((name) => `\`${name}\``));
  const only = `a tenant can have only one ${noun} with the same ${names}.`;
  const alone = `\`${key}\` is ${value} for ${andWords(titles.map((one, index) => (index === 0 ? one : `for ${one}`)))}`;
  if (holder)
    return `${alone}, but ${holderWords(noun, holder)} already has it, and ${only} ${holderRemedy(noun, key, holder)}`;
  return `${alone}, but ${only} Give ${titles.length === 2 ? "one of the two" : "each of them"} another \`${key}\`.`;
}

type Holder = NonNullable<SameKeyFacts["holder"]>;

const holderWords = (noun: string, { id, name }: Holder) =>
  `${noun} ${id}${name === undefined ? "" : ` (${JSON.stringify(name)})`}`;

function holderRemedy(noun: string, key: string, { type, id, isIdentical, isReplacement, isMoved }: Holder): string {
  const importing = `import it: \`terraform import ${type}.NAME ${shellWord(id)}\`.`;
  const order = isReplacement ? `If Terraform destroys the replaced ${noun} first, it cannot make the new one. ` : "";
  if (isIdentical)
    return (
      `${order}It is identical to the planned one, so an interrupted apply probably made it. To keep it, take the old ${noun} out of the ` +
      `state (terraform state rm), delete that one on the tenant, and ${importing}`
    );
  const aside = isMoved
    ? ` Unless another change of the apply frees the ${key}, the apply gives the planned one another free ${key}, and warns.`
    : "";
  return `${order}Give the planned one another \`${key}\`. If no configuration manages ${id}, ${importing}${aside}`;
}

export const sameKeyTemplate: Template<SameKeyFacts> = { sentence: sameKeyWords };

export const featureTemplate: Template<FeatureFacts> = {
  sentence: ({ features }) =>
    `The plan uses Early Access features, which Auth0 may change or refuse: ${features.join(", ")}.`,
};

export const keyTemplate: Template<KeyFacts> = {
  sentence: ({ acl, keys, going, isUnmanaged, keepsName, stops, goesFirst }) => {
    const named =
      keys.length === 0
        ? `key ${hidden}`
        : keys.map(({ address, key }) => `${keyWords(key ?? {})} (${address})`).join(" and the ");
    if (keepsName)
      return (
        `${acl} names the ${named}, which a new key of the same name replaces. Names are unique, so the old key must go first, but the ` +
        "tenant refuses to delete a key that a rule names. Give the new key another `name`, or a `name_prefix`, and set " +
        "lifecycle { create_before_destroy = true }. Terraform then makes the new key first, changes the rules, and removes the old key last."
      );
    if (going) {
      const how = going.length > 1 ? "destroyed or replaced" : going[0]!;
      return (
        `${acl} still names the ${named}, which will be ${how}. The tenant refuses to delete a key that a rule names, so the apply ` +
        `fails${isUnmanaged ? " unless that rule changes before" : ""}. Name another key in the rule, in the same plan or before.`
      );
    }
    const remedy = goesFirst
      ? " Terraform would delete the old key while the rule still names it, which the tenant refuses: set " +
        "lifecycle { create_before_destroy = true } in the key."
      : "";
    const signers = stops
      ? ` Requests that are signed with the old ${stops === "material" ? "secret" : stops} stop matching, so change the signers together with the apply.`
      : "";
    return `${acl} no longer names the ${named}, because a new key replaces it.${signers}${remedy}`;
  },
};

export const unknownKeyTemplate: Template<UnknownKeyFacts> = {
  sentence: ({ acl, id, known }) => {
    const has = known.map((key) => `${key.id}${key.name === undefined ? "" : ` (${JSON.stringify(key.name)})`}`);
    return (
      `\`rule\` of ${acl} names the key ${id === undefined ? hidden : JSON.stringify(id)} in \`http_message_signature\`, but the tenant ` +
      "has no such key, so no request is signed with it: in `not_match`, it excludes nobody. " +
      `The tenant has ${has.join(", ") || "no keys"}. Refer to the \`id\` of a tenant_network_acl_key.`
    );
  },
};

export const keyNumberTemplate: Template<KeyNumberFacts> = {
  sentence: ({ count, most, replaced }) =>
    replaced
      ? `The tenant has ${count} keys, and a tenant can have at most ${most}, so Terraform cannot create a new key before it ` +
        `destroys ${nameOf(replaced)}. Remove a key that no rule names, or leave out create_before_destroy if no rule names the old key.`
      : `After the apply, there would be ${count} keys, but a tenant can have at most ${most}. Remove keys that no rule names.`,
};
