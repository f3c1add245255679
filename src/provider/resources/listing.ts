/** What all kinds with an id read from the list of the tenant: the data source, the list and the import by a value that people know. */
import * as z from "zod";
import type { Kind } from "../../judge/kinds/kind";
import { attribute, listOf } from "../sdk/attribute";
import { define, type Definition, type State } from "../sdk/definition";
import { DiagnosticError } from "../sdk/diagnostic";
import type { Context, DataSource, ListResource } from "../sdk/resource";
import type { Tenant } from "../../tenant/tenant";
import type { Client } from "./client";

interface Listing<T extends { readonly id: string }, D extends Definition> {
  readonly kind: Kind;
  readonly definition: D;
  /** An object in the data source. */
  readonly object: z.ZodObject;
  readonly filter?: z.ZodObject;
  all(tenant: Tenant): Promise<readonly T[]>;
  /** Default: as it is, because the state drops what the definition does not have. */
  fromWire?(one: T): State<D>;
  /** Default: the value that people know. */
  titleOf?(one: T): string;
  readonly ids: {
    readonly pattern: RegExp;
    /** `rlp_ followed by 21 characters` */
    readonly form: string;
    /** A value that people know, as in `priority:10`. */
    readonly example: string;
  };
}

export function listingOf<T extends { readonly id: string }, D extends Definition>(listing: Listing<T, D>) {
  const { kind, definition, object, filter = z.object({}), all, ids } = listing;
  const { fromWire = (one) => one as object as State<D> } = listing;
  const { noun, plural, identity, earlyAccess } = kind;
  const { type, objects = "" } = kind.dataSource;
  // People know an object by the value that a tenant has only once.
  const key = kind.uniqueKey.at(-1)! as keyof T & string;
  const { titleOf = (one) => String(one[key]) } = listing;
  const description = `The ${plural} of the tenant, including unmanaged ones.${earlyAccess ? " Early Access." : ""}`;

  const matching = async (wanted: object, tenant: Tenant) => {
    const isWanted = (one: T) => Object.entries(wanted).every(([name, value]) => one[name as keyof T] === value);
    return (await all(tenant)).filter(isWanted).toSorted((a, b) => (a[key] < b[key] ? -1 : 1));
  };

  const source = define({
    name: type.replace("tenant_", ""),
    description,
    config: filter,
    computed: z.object({ [objects]: attribute(listOf(object), `The ${plural}, sorted by \`${key}\`.`) }),
  });
  const dataSource: DataSource<Client, typeof source> = {
    definition: source,
    read: async (wanted, { client }) => ({ [objects]: (await matching(wanted, client.tenant)).map(fromWire) }),
  };

  const list: ListResource<Client, D, z.ZodObject> = {
    definition,
    description,
    filter,
    async *list(wanted, { client }) {
      for (const one of await matching(wanted, client.tenant)) {
        yield { title: titleOf(one), known: { id: one.id } as object as Partial<State<D>>, read: () => fromWire(one) };
      }
    },
  };

  async function importById(id: string, { client }: Context<Client>): Promise<{ id: string }> {
    if (ids.pattern.test(id)) return { id };
    const [, value] = new RegExp(`^${key}:(.+)$`, "s").exec(id) ?? [];
    const byId = `by id (${identity.prefix}…)`;
    if (value === undefined) {
      throw new DiagnosticError(
        ["TNF-IMPORT-ID", `a ${noun}`],
        `"${id}" is not ${ids.form}. Import ${byId} or by ${key} (${key}:${ids.example}).`,
      );
    }
    const found = (await all(client.tenant)).filter((one) => String(one[key]) === value);
    if (found.length === 1) return { id: found[0]!.id };
    if (found.length === 0) throw noSuch(kind, key, value, `, or import ${byId}`);
    throw new DiagnosticError(
      ["TNF-SEVERAL-SUCH", plural],
      `The tenant has ${found.length} ${plural} whose \`${key}\` is ${JSON.stringify(value)}: import one of ${found.map((one) => one.id).join(", ")} by its id.`,
    );
  }

  return { dataSource, list, importById };
}

export const noSuch = ({ noun }: Pick<Kind, "noun">, name: string, value: unknown, more = ""): DiagnosticError =>
  new DiagnosticError(
    ["TNF-NO-SUCH", noun],
    `The tenant has no ${noun} whose \`${name}\` is ${JSON.stringify(value)}. Check the value${more}.`,
  );
