/** Reads the objects of a tenant in as few requests as its lists allow. */
import type { Kind } from "../kinds/kind";
import { networkAclKey } from "../kinds/network-acl-key";
import type { Client } from "../resources/client";
import type { tenantProvider } from "../resources/provider";
import type { Listed } from "../sdk/resource";
import { isTenantError } from "../tenant/error";
import type { Tenant } from "../tenant/tenant";
import { candidateOf, checkedId, entriesOf, type FoundObject } from "./draft";
import { AdoptError } from "./error";
import type { Progress } from "./progress";
import type { Fields } from "./state";
import { counted, foundLine, readLine } from "./summary";

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

interface KindSurvey {
  readonly kind: Kind;
  readonly listed: readonly Listed[];
  /** Why the kind cannot be read. */
  readonly refusal?: string;
}

/** Whether `--organization` restricts the kind. */
export const isOfOrganization = ({ identity }: Kind): boolean => identity.attribute === "organization_id";

/** Throws a TenantError that concerns more than one kind. */
export async function survey(provider: Provider, tenant: Tenant, wanted: Wanted, progress: Progress): Promise<Survey> {
  const kinds = await Promise.all(wanted.kinds.map((kind) => list(provider, kind, tenant, wanted)));
  progress.line(foundLine(kinds.map(({ kind, listed }) => [kind, listed.length])));
  const all = kinds.reduce((sum, { listed }) => sum + listed.length, 0);
  let done = 0;
  const read = await Promise.all(
    kinds.map((one) => readAll(provider, one, wanted, () => progress.show(++done, all, "objects"))),
  );
  progress.clear();
  const objects = read.flatMap((one) => one.objects);
  progress.line(readLine(objects));
  for (const line of read.flatMap((one) => one.lines)) progress.line(line);
  return {
    objects,
    ids: new Set(kinds.flatMap(({ kind, listed }) => listed.map((one) => idOf(kind, one)))),
    read: new Set(read.flatMap((one) => (one.isRefused ? [] : one.kind))),
  };
}

const idOf = ({ identity, noun }: Kind, { known }: Listed): string =>
  checkedId((known as Fields)[identity.attribute], `A ${noun}`);

/** A token may lack the scope for a kind, and a tenant without Early Access may not know the kind. */
function refusalOf(error: unknown, { earlyAccess }: Kind): string {
  const isUnknown = earlyAccess !== undefined && isTenantError(error, "not_found");
  if (!isUnknown && !isTenantError(error, "insufficient_scope", "forbidden")) throw error;
  const { message } = error as Error;
  if (earlyAccess === undefined) return message;
  const text = message.endsWith(".") ? message : `${message}.`;
  return `${text} They are in Early Access. If your tenant does not offer them, ignore this line. Otherwise grant the scope to the application.`;
}

async function list(provider: Provider, kind: Kind, tenant: Tenant, { organizations }: Wanted): Promise<KindSurvey> {
  const resource = await provider.lists![kind.name]!();
  const context = {
    // Lists need nothing else of the client.
    client: { tenant } as Client,
    log: () => {},
    warn: () => {},
    report: () => {},
    privateState: {},
  };
  const matching = async (filter: Fields): Promise<Listed[]> => {
    const listed: Listed[] = [];
    for await (const one of resource.list(filter, context)) listed.push(one);
    return listed;
  };
  try {
    if (!isOfOrganization(kind) || organizations.length === 0) return { kind, listed: await matching({}) };
    const each = [...new Set(organizations)].map(async (id) => {
      const found = await matching({ organization_id: id });
      if (found.length === 0) throw unknownOrganization(id);
      return found;
    });
    return { kind, listed: (await Promise.all(each)).flat() };
  } catch (error) {
    return { kind, listed: [], refusal: refusalOf(error, kind) };
  }
}

const unknownOrganization = (id: string) =>
  new AdoptError(`The tenant has no organization ${JSON.stringify(id)}: check --organization. Nothing was written.`);

interface ReadKind {
  readonly kind: Kind;
  readonly objects: readonly FoundObject[];
  readonly isRefused: boolean;
  /** One sentence for each object that was left out. */
  readonly lines: readonly string[];
}

async function readAll(
  provider: Provider,
  { kind, listed, refusal }: KindSurvey,
  wanted: Wanted,
  seen: () => void,
): Promise<ReadKind> {
  const leftOut = (reason: string): ReadKind => ({
    kind,
    objects: [],
    isRefused: true,
    lines: wanted.isEmbedded && kind === networkAclKey ? [] : [`The ${kind.plural} are left out: ${reason}`],
  });
  if (refusal !== undefined) return leftOut(refusal);
  const { definition } = await provider.lists![kind.name]!();
  const readOne = async (one: Listed) => {
    const content = (await one.read()) as Fields | undefined;
    seen();
    const id = idOf(kind, one);
    if (!content && wanted.organizations.includes(id)) throw unknownOrganization(id);
    return content ? [{ kind, definition, id, content: sorted(kind, content), title: one.title }] : [];
  };
  try {
    const found = (await Promise.all(listed.map(readOne))).flat();
    const isWanted = ({ id, content }: (typeof found)[number]) =>
      !isEmpty(kind, content) || wanted.organizations.includes(id);
    const objects = found
      .filter(isWanted)
      .toSorted(order(kind))
      .map(({ title, ...one }) => ({ ...one, candidate: candidateOf(kind, one.content, title) }));
    const empty = found.length - objects.length;
    return { kind, objects, isRefused: false, lines: empty > 0 ? [emptyLine(kind, empty)] : [] };
  } catch (error) {
    return leftOut(refusalOf(error, kind));
  }
}

const isEmpty = ({ list: own }: Kind, content: Fields) => own !== undefined && entriesOf(content, own).length === 0;

const emptyLine = ({ identity, list: own }: Kind, count: number) =>
  `${counted(count, identity.noun)} without ${own!.attribute} left out, because an empty set removes everyone who joins. ` +
  `Adopt one with --organization ${identity.prefix}….`;

function sorted({ list: own }: Kind, content: Fields): Fields {
  return own ? { ...content, [own.attribute]: entriesOf(content, own).toSorted() } : content;
}

function order({ adoption: { order: attribute } }: Kind) {
  const key = ({ content, title }: { content: Fields; title: string }) =>
    attribute === undefined ? title : Number(content[attribute]);
  return (a: { content: Fields; title: string }, b: { content: Fields; title: string }) =>
    key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
}
