/**
 * Turns what a tenant has into objects to declare, in as few requests as its lists allow. A kind that the token may not read, or that the tenant
 * does not offer, is refused, which is not the same as empty.
 */
import type { Kind } from "../../judge/kinds/kind";
import { networkAclKey } from "../../judge/kinds/network-acl-key";
import type { Client } from "../../provider/resources/client";
import type { tenantProvider } from "../../provider/resources/provider";
import type { Definition } from "../../provider/sdk/definition";
import type { Listed } from "../../provider/sdk/resource";
import { isTenantError, type TenantError } from "../../tenant/error";
import type { Tenant } from "../../tenant/tenant";
import {
  candidateOf,
  checkedId,
  entriesOf,
  inOrderOf,
  isOfOrganization,
  withSortedList,
  type FoundObject,
} from "./to-declaration";
import { UserError } from "../../formats/text/user-error";
import type { Fields } from "./state";
import { counted } from "../../formats/text/lists";
import { foundLine, readLine } from "./summary";

export type Provider = ReturnType<typeof tenantProvider>;

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
    ids: new Set(lists.flatMap(({ listed }) => listed.map(({ id }) => id))),
    read: new Set(read.flatMap(({ kind, refusal }) => (refusal ? [] : kind))),
  };
}

interface KindSurvey<One> {
  readonly kind: Kind;
  readonly definition: Definition;
  readonly listed: readonly One[];
  /** Why the kind cannot be read. */
  readonly refusal?: TenantError;
}

interface Found {
  readonly id: string;
  readonly title: string;
}

type Unread = Found & { readonly one: Listed };
/** undefined: it is gone meanwhile. */
type Read = Found & { readonly content: Fields | undefined };

/** `organizations`: lists only theirs, for a kind of organizations. */
async function listKind(
  provider: Provider,
  kind: Kind,
  tenant: Tenant,
  organizations?: readonly string[],
): Promise<KindSurvey<Unread>> {
  const { definition, list } = await provider.lists![kind.name]!();
  const [nothing, no] = [() => {}, () => false];
  const notes = { log: nothing, warn: nothing, madeHere: no, others: () => [], adopted: nothing, report: nothing };
  // Lists need nothing else of the client.
  const context = { client: { tenant } as Client, ...notes };
  const matching = async (filter: Fields) => {
    const found: Unread[] = [];
    for await (const one of list(filter, context)) {
      const { [kind.identity.attribute]: id } = one.known as Fields;
      found.push({ id: checkedId(id, `A ${kind.noun}`), title: one.title, one });
    }
    return found;
  };
  const own = isOfOrganization(kind) ? organizations : undefined;
  const filters = own ? [...new Set(own)].map((id) => ({ organization_id: id })) : [{}];
  const answer = await ifAllowed(kind, async () => (await Promise.all(filters.map(matching))).flat());
  return { kind, definition, ...answer };
}

async function readKind(list: KindSurvey<Unread>): Promise<KindSurvey<Read>> {
  const { kind, listed } = list;
  const readOne = async ({ one, ...rest }: Unread) => ({ ...rest, content: (await one.read()) as Fields | undefined });
  return { ...list, ...(await ifAllowed(kind, () => Promise.all(listed.map(readOne)))) };
}

/** A token may lack the scope for a kind, and a tenant without Early Access may not know the kind. */
async function ifAllowed<One>({ earlyAccess }: Kind, read: () => Promise<readonly One[]>) {
  try {
    return { listed: await read() };
  } catch (error) {
    const isLacking = earlyAccess !== undefined && isTenantError(error, "not_found");
    if (isLacking || isTenantError(error, "insufficient_scope", "forbidden")) return { listed: [], refusal: error };
    throw error;
  }
}

/** `lines`: a sentence for each object that is left out. */
function objectsIn(
  { kind, definition, listed, refusal }: KindSurvey<Read>,
  { organizations, isEmbedded }: Wanted,
): { readonly objects: FoundObject[]; readonly lines: readonly string[] } {
  if (refusal) {
    const isNews = !(isEmbedded && kind === networkAclKey);
    return { objects: [], lines: isNews ? [refusalLine(kind, refusal.message)] : [] };
  }
  const found = listed.flatMap(({ content, ...rest }) =>
    content ? [{ ...rest, content: withSortedList(kind, content) }] : [],
  );
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
