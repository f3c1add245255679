/** Reads the blocks of a file in Terraform's JSON syntax, with their lines. */
import type { Block } from "./block";
import { parseJson, type Member, type Node } from "./json-nodes";

/** Block type -> how many labels it has. */
const labelled: Readonly<Record<string, number>> = { resource: 2, module: 1, provider: 1, removed: 0 };

export function jsonBlocks(source: string): Block[] {
  return membersOf(parseJson(source)).flatMap(({ key: type, value, line }) => {
    const count = Object.hasOwn(labelled, type) ? labelled[type]! : undefined;
    return count === undefined ? [] : blocksIn(type, value, count, [], line);
  });
}

/** The blocks of a provider block whose expressions the review reads. */
const expectationParts: ReadonlySet<string> = new Set(["expectation", "request", "except", "policy", "members"]);

/** An attribute may have the name of a block. */
const isBody = ({ members, items = [] }: Node) =>
  members !== undefined || items.some((one) => one.members !== undefined);

/** Terraform reads a list of objects like one object, and a list of bodies as several blocks. */
function blocksIn(type: string, node: Node, count: number, labels: readonly string[], line: number): Block[] {
  if (count > 0) {
    return membersOf(node).flatMap((one) => blocksIn(type, one.value, count - 1, [...labels, one.key], one.line));
  }
  return (node.items ?? [node]).map((body) => blockOf(type, labels, line, body));
}

function blockOf(type: string, labels: readonly string[], line: number, body: Node): Block {
  const members = membersOf(body);
  const texts = members.flatMap(({ key, value }): [string, string][] =>
    value.text === undefined || /\$\{|%\{/.test(value.text) ? [] : [[key, value.text]],
  );
  const dynamic = members.filter(({ key }) => key === "dynamic").flatMap(({ value }) => membersOf(value));
  const inner = members.filter(({ key, value }) => expectationParts.has(key) && isBody(value));
  const origin = textAt(body, ["//", "tenantform", "at"]);
  return {
    type,
    labels,
    line,
    texts: new Map(texts),
    blocks: [
      ...dynamic.map(({ key, line: own, value }) => blockOf("dynamic", [key], own, value)),
      ...inner.flatMap(({ key, value, line: own }) =>
        (value.items ?? [value]).map((one) => blockOf(key, [], own, one)),
      ),
    ],
    ...(origin !== undefined && { origin }),
  };
}

function membersOf(node: Node): Member[] {
  const all = node.members ?? (node.items ?? []).flatMap(({ members = [] }) => members);
  return all.filter(({ key }) => key !== "//");
}

function textAt({ members = [], text }: Node, path: readonly string[]): string | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return text;
  const found = members.find(({ key }) => key === first);
  return found && textAt(found.value, rest);
}
