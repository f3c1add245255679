/** Reads the objects that another provider manages from its state. */
import { goProviderTypes } from "../../judge/kinds/kinds";
import type { Kind } from "../../judge/kinds/kind";
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
    const own: FoundObject[] = [];
    for (const { type, entry } of kind.goProvider) {
      const moved = instances.filter((one) => one.type === type).map((one) => movedFrom(one, kind, moves[type]!, file));
      const isKnown = new Set(own.map(({ id }) => id));
      const contents = entry === undefined ? moved : joined(moved, kind).filter(({ id }) => !isKnown.has(id));
      own.push(
        ...contents.map(({ instance, ...rest }) => {
          const candidate = candidateFor(kind, instance, entry !== undefined);
          return { origin: { moved: instance.address, removed: [] }, ...rest, kind, definition, candidate };
        }),
      );
    }
    const organizations = isOfOrganization(kind) ? wanted.organizations : [];
    const missing = organizations.find((id) => !own.some((one) => one.id === id));
    if (missing !== undefined)
      throw new UserError(
        `${file} has no members of the organization ${JSON.stringify(missing)}: check --organization.`,
      );
    const isWanted = ({ id }: FoundObject) => organizations.length === 0 || organizations.includes(id);
    found.push(
      ...own
        .filter(isWanted)
        .map((one) => ({ ...one, content: withSortedList(kind, one.content) }))
        .toSorted(inOrderOf(kind)),
    );
  }
  if (found.length > 0) return found;
  throw new UserError(
    `${file} has no object of a type that adopt takes over: ${types.join(", ")}. Check the file of --from-state.`,
  );
}

interface Moved extends Pick<FoundObject, "id" | "content" | "origin"> {
  readonly instance: Instance;
}

function movedFrom(instance: Instance, { identity }: Kind, move: Step, file: string): Moved {
  const content = move(instance.attributes);
  return { instance, content, id: checkedId(content[identity.attribute], `${file}: ${instance.address}`) };
}

/** Joins resources that hold one entry each to one object with all entries. */
function joined(all: readonly Moved[], { list }: Kind): Moved[] {
  const byId = new Map<string, Moved[]>();
  for (const one of all) byId.set(one.id, [...(byId.get(one.id) ?? []), one]);
  return [...byId.values()].map((own) => {
    const [first] = own;
    if (own.length === 1) return first!;
    const entries = own.flatMap(({ content }) => content[list!.attribute]);
    const removed = [...new Set(own.map(({ instance }) => instance.resource))];
    return { ...first!, content: { ...first!.content, [list!.attribute]: entries }, origin: { removed } };
  });
}

/** The name that the resource has already, with its key. Joined resources have no key in common. */
function candidateFor(kind: Kind, { name, key, module = "" }: Instance, isEntry: boolean): Candidate {
  const index = key === undefined || isEntry ? [] : wordsOf(String(key));
  return { wanted: lettered([...wordsOf(name), ...index], [kind.shortNoun]), marks: [wordsOf(module)] };
}
