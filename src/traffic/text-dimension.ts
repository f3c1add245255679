/** Groups texts: host names, fingerprints, user agents, and facts that no log has. */
import { signals } from "../access/access";
import { cached } from "./cached";
import {
  createClasses,
  noText,
  vectorOf,
  type Candidate,
  type Dependency,
  type Dimension,
  type List,
} from "./fact-class";
import type { LoggedRequest } from "./request";

export interface TextFact {
  readonly name: Dependency;
  value(request: LoggedRequest): string | undefined;
  candidate(text: string): Candidate;
  /** Converts a text to the case of facts. */
  spell?(text: string): string;
}

export const fingerprint = (name: "ja3" | "ja4"): TextFact => ({
  name,
  value: (request) => request[name],
  candidate: (text) => ({ [name]: text }),
  spell: (text) => text.toLowerCase(),
});

/** Matches no entry of a rule. */
const noNumber = "4294967294";

export function textDimension(
  lists: readonly List[],
  { name, value, candidate, spell = (text) => text }: TextFact,
): Dimension {
  const create = createClasses();
  const entries = [...new Set(lists.flat().map(spell))];
  const other = name === "asn" ? candidate(noNumber) : candidate(noText);
  const nothing = vectorOf(lists, noText, spell);
  const all = new Map<string, Candidate>([[nothing, other]]);
  for (const entry of entries) all.set(vectorOf(lists, entry, spell), candidate(entry));
  const unknown = create(name, all);
  const agents = signals.find(({ properties }) => properties[0] === "user_agents")!;
  const none = create(name, new Map([[nothing, other]]));
  const known = cached((text) => {
    const own = spell(text);
    if (entries.includes(own)) return create(name, new Map([[vectorOf(lists, own, spell), candidate(own)]]));
    // A loose comparison may match an entry that is a part of the header.
    const near =
      name === "user_agent"
        ? entries.filter((entry) => agents.matches([entry], { api: "management", user_agent: text }) === "perhaps")
        : [];
    if (near.length === 0) return none;
    return create(
      "comparison",
      new Map([[nothing, other], ...near.map((entry) => [vectorOf(lists, entry, spell), candidate(entry)] as const)]),
    );
  });
  return {
    classOf(request) {
      const text = value(request);
      return text === undefined ? unknown : known(text);
    },
  };
}
