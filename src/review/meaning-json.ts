/** Writes the meaning of a change into the JSON of a review. */
import type { Meaning } from "../impact/meaning/meaning";

export function meaningJson({
  acls: { before, after },
  limits,
  members,
  keys,
  ends,
  unknown,
  unseen,
}: Meaning): object {
  return {
    network_acls: { before, after },
    limits: limits.map(({ selector, ...limit }) => ({ ...limit, consumer_selector: selector })),
    members: members.map(({ organization, ...own }) => ({ organization_id: organization, ...own })),
    keys,
    ...(ends && { ends }),
    unknown,
    unseen,
  };
}
