/** Turns what a tenant has into objects to declare. */
import type { Kind } from "../../judge/kinds/kind";
import { networkAclKey } from "../../judge/kinds/network-acl-key";
import {
  isOfOrganization,
  listKind,
  readKind,
  type KindSurvey,
  type Provider,
} from "../../provider/resources/list-kinds";
import type { Tenant } from "../../tenant/tenant";
import { candidateOf, checkedId, entriesOf, inOrderOf, withSortedList, type FoundObject } from "./to-declaration";
import { UserError } from "../../formats/text/user-error";
import type { Fields } from "./state";
import { counted } from "../../formats/text/lists";
import { foundLine, readLine } from "./summary";

export interface Wanted {
  readonly kinds: readonly Kind[];
  /** Ids; none: all organizations of the tenant. */
  readonly organizations: readonly string[];
  /** An embedded tenant has the scopes of keys only if somebody turned the feature on, so their lack is no news. */
  readonly isEmbedded?: boolean;
}

export interface Survey {
  readonly objects: readonly FoundObject[];
  /** The ids of everything on the tenant, those of objects with empty lists included. */
  readonly ids: ReadonlySet<string>;
  /** The kinds that the tenant returned. */
  readonly read: ReadonlySet<Kind>;
}

/** Throws a TenantError that concerns more than one kind. */
export async function survey(
  provider: Provider,
  tenant: Tenant,
  wanted: Wanted,
  say: (line: string) => void,
): Promise<Survey> {
  const named = wanted.organizations.length > 0 ? wanted.organizations : undefined;
  const lists = await Promise.all(wanted.kinds.map((kind) => listKind(provider, kind, tenant, named)));
  say(foundLine(lists.map(({ kind, listed }) => [kind, listed.length])));
  const read = await Promise.all(lists.map((one) => readKind(one)));
  const kept = read.map((one) => ({ ...one, ...objectsIn(one, wanted) }));
  const objects = kept.flatMap((one) => one.objects);
  say(readLine(objects));
  for (const line of kept.flatMap((one) => one.lines)) say(line);
  return {
    objects,
    ids: new Set(lists.flatMap(({ kind, listed }) => listed.map(({ id }) => checkedId(id, `A ${kind.noun}`)))),
    read: new Set(read.flatMap(({ kind, refusal }) => (refusal ? [] : kind))),
  };
}

/** `lines`: a sentence for each object that is left out. */
function objectsIn(
  { kind, definition, listed, refusal }: KindSurvey,
  { organizations, isEmbedded }: Wanted,
): { readonly objects: FoundObject[]; readonly lines: readonly string[] } {
  if (refusal) {
    const isNews = !(isEmbedded && kind === networkAclKey);
    return { objects: [], lines: isNews ? [refusalLine(kind, refusal.message)] : [] };
  }
  const found = listed.flatMap(({ id, title, content }) => {
    const own = checkedId(id, `A ${kind.noun}`);
    return content ? [{ title, id: own, content: withSortedList(kind, content) }] : [];
  });
  const missing = isOfOrganization(kind) && organizations.find((id) => !found.some((one) => one.id === id));
  if (missing)
    throw new UserError(
      `The tenant has no organization with the id ${JSON.stringify(missing)}: check --organization, which takes an id such as ` +
        "org_9ybsU1dN2dKfDkBi, and no name. Nothing was written.",
    );
  const isEmpty = ({ id, content }: { id: string; content: Fields }) =>
    kind.list !== undefined && entriesOf(content, kind.list).length === 0 && !organizations.includes(id);
  const kept = found.filter((one) => !isEmpty(one)).toSorted(inOrderOf(kind));
  return {
    objects: kept.map(({ title, id, content }) => ({
      kind,
      definition,
      id,
      content,
      candidate: candidateOf(kind, content, title),
    })),
    lines: kept.length < found.length ? [emptyLine(kind, found.length - kept.length)] : [],
  };
}

function refusalLine({ plural, earlyAccess }: Kind, message: string): string {
  const reason = `The ${plural} are left out: ${message}`;
  if (earlyAccess === undefined) return reason;
  const early = "They are in Early Access. If your tenant does not offer them, ignore this line.";
  return `${reason.replace(/\.?$/, ".")} ${early} Otherwise grant the scope to the application.`;
}

const emptyLine = ({ identity, list: own }: Kind, count: number) =>
  `${counted(count, identity.noun)} without ${own!.attribute} left out, because an empty set removes everyone who joins. ` +
  `Adopt one with --organization ${identity.prefix}….`;
