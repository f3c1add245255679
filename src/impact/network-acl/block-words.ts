/** Words a set of addresses by the blocks that the configuration names. */
import { andWords } from "../list-words";
import { type Block, contains, countAddresses, parseBlock } from "../../access/access";

const mostBlocks = 3;
/** More constants would take long to compare, and hardly describe a set in few words. */
const mostConstants = 200;

/**
 * `198.51.0.0/16 without 198.51.100.0/24`. Lists the blocks as they are if there are few, or if no few constants describe them.
 * `blocks`: the fewest blocks of the set, without overlaps. `constants`: the blocks that rules name.
 */
export function blockWords(blocks: readonly string[], constants: readonly string[] = []): string {
  const isWorthIt = blocks.length > mostBlocks && constants.length <= mostConstants;
  const found = isWorthIt ? byConstants(blocks.flatMap(read), constants) : undefined;
  if (!found) return few(blocks);
  return found.except.length === 0 ? few(found.own) : `${few(found.own)} without ${few(found.except)}`;
}

const read = (text: string) => parseBlock(text) ?? [];

interface Described {
  readonly own: readonly string[];
  readonly except: readonly string[];
}

/** The largest constants that meet the set, without the constants inside of them that do not. undefined: they are not the set. */
function byConstants(set: readonly Block[], constants: readonly string[]): Described | undefined {
  const named = [...new Set(constants)].flatMap((text) => {
    const block = parseBlock(text);
    return block ? [{ text, block }] : [];
  });
  const meeting = named.filter(({ block }) => set.some((one) => contains(block, one)));
  const own = largest(meeting);
  const others = named.filter(({ block }) => !set.some((one) => contains(block, one) || contains(one, block)));
  const except = largest(others.filter(({ block }) => own.some((one) => contains(one.block, block))));
  const size = (list: readonly Block[], family: 4 | 6) => countAddresses(list, family);
  const isSame = ([4, 6] as const).every((family) => {
    const [all, out] = [own, except].map((list) =>
      size(
        list.map(({ block }) => block),
        family,
      ),
    ) as [bigint, bigint];
    return all - out === size(set, family);
  });
  const isCovered = set.every((one) => own.some(({ block }) => contains(block, one)));
  if (!isSame || !isCovered || own.length > mostBlocks || except.length > mostBlocks) return undefined;
  return { own: own.map(({ text }) => text), except: except.map(({ text }) => text) };
}

function largest<One extends { readonly block: Block }>(list: readonly One[]): One[] {
  return list.filter(
    ({ block }, index) =>
      !list.some(
        (other, at) =>
          at !== index && contains(other.block, block) && (other.block.length < block.length || at < index),
      ),
  );
}

const whole: Readonly<Record<string, string>> = {
  "0.0.0.0/0": "all IPv4 addresses",
  "::/0": "all IPv6 addresses",
  "2000::/3": "all IPv6 addresses",
};

function few(blocks: readonly string[]): string {
  const names = blocks.map((block) => whole[block] ?? block);
  const rest = names.length - mostBlocks;
  if (rest > 1) return `${names.slice(0, mostBlocks).join(", ")} and ${rest} more blocks`;
  return andWords(names);
}
