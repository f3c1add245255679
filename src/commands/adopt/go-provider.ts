/** Reads the objects that another provider manages from its state. */
import { goProviderTypes } from "../../judge/kinds/kinds";
import type { Kind } from "../../judge/kinds/kind";
import { grouped } from "../../judge/impact/model";
import type { Step } from "../../provider/sdk/resource";
import { checkedId, inOrderOf, isOfOrganization, withSortedList, type FoundObject } from "./to-declaration";
import { UserError } from "../../formats/text/user-error";
import { lettered, wordsOf, type Candidate } from "./naming";
import { instancesIn, textOfState, type Instance } from "./state";
import type { Provider, Wanted } from "./read-tenant";

/** Throws an UserError if the file is no state, or has no object that this provider can manage. */
export async function readGoProviderState(file: string, provider: Provider, wanted: Wanted): Promise<FoundObject[]> {
  const types = goProviderTypes.map(({ type }) => type);
  const instances = instancesIn(textOfState(file), file, types);
  const found: FoundObject[] = [];
  for (const kind of wanted.kinds) {
    const { definition, moves = {} } = await provider.resources[kind.name]!();
    const moved = kind.goProvider.flatMap(({ type, entry }) =>
      instances
        .filter((one) => one.type === type)
        .map((one) => movedFrom(one, kind, moves[type]!, file, entry !== undefined)),
    );
    const organizations = isOfOrganization(kind) ? wanted.organizations : [];
    const isWanted = ({ id }: Moved) => organizations.length === 0 || organizations.includes(id);
    const kept = moved.filter(isWanted);
    const own = (kind.list ? joined(kept, kind.list) : kept).map(({ instance, isEntry, ...rest }): FoundObject => {
      const candidate = candidateFor(kind, instance, isEntry);
      return { origin: { moved: instance.address, removed: [] }, ...rest, kind, definition, candidate };
    });
    const left = new Set(own.flatMap(({ origin }) => origin!.removed));
    const other = moved.find((one) => !isWanted(one) && left.has(one.instance.resource));
    if (other)
      throw new UserError(
        `${other.instance.resource} also has members of the organization ${other.id}, and Terraform can only forget the resource as a whole: ` +
          "name that organization too, or leave out --organization. Nothing was written.",
      );
    const missing = organizations.find((id) => !own.some((one) => one.id === id));
    if (missing !== undefined)
      throw new UserError(
        `${file} has no members of the organization ${JSON.stringify(missing)}: check --organization.`,
      );
    found.push(...own.map((one) => ({ ...one, content: withSortedList(kind, one.content) })).toSorted(inOrderOf(kind)));
  }
  if (found.length > 0) return found;
  throw new UserError(
    `${file} has no object of a type that adopt takes over: ${types.join(", ")}. Check the file of --from-state.`,
  );
}

interface Moved extends Pick<FoundObject, "id" | "content" | "origin"> {
  readonly instance: Instance;
  /** The resource holds one entry of a list. */
  readonly isEntry: boolean;
}

function movedFrom(instance: Instance, { identity }: Kind, move: Step, file: string, isEntry: boolean): Moved {
  const content = move(instance.attributes);
  return { instance, content, isEntry, id: checkedId(content[identity.attribute], `${file}: ${instance.address}`) };
}

/**
 * Joins the resources of one list to one object with all entries. Terraform forgets a resource as a whole, so none of its other instances can
 * move.
 */
function joined(all: readonly Moved[], { attribute }: NonNullable<Kind["list"]>): Moved[] {
  const groups = [...grouped(all, ({ id }) => id).values()];
  const several = groups.filter(({ length }) => length > 1).flat();
  const left = new Set(several.map(({ instance }) => instance.resource));
  return groups.map((own) => {
    const [first] = own;
    const entries = own.flatMap(({ content }) => content[attribute]);
    // One that leaves other members alone does so when it has more of them.
    const { content } = own.find((one) => one.content["exclusive"] === false) ?? first!;
    const removed = [...new Set(own.map(({ instance }) => instance.resource))];
    const origin = removed.some((resource) => left.has(resource)) && { origin: { removed } };
    return { ...first!, content: { ...content, [attribute]: [...new Set(entries)] }, ...origin };
  });
}

/** The name that the resource has already, with its key. Joined resources have no key in common. */
function candidateFor(kind: Kind, { name, key, module = "" }: Instance, isEntry: boolean): Candidate {
  const index = key === undefined || isEntry ? [] : wordsOf(String(key));
  return { wanted: lettered([...wordsOf(name), ...index], [kind.shortNoun]), marks: [wordsOf(module)] };
}
