/** Defines a resource or data source as far as it needs no client. */
import type * as z from "zod";
import { unknown } from "../../formats/cty/value";
import type { PartiallyUnknown, Rule } from "./attribute";

/** The known values of an object, by the names of its attributes. */
export type Known = Readonly<Record<string, unknown>>;

/** Identifies an object among all others of its kind: its id, or the id of its parent. */
export type Identity = Known;

export interface Definition<C extends z.ZodObject = z.ZodObject, D extends z.ZodObject = z.ZodObject> {
  /** Type name without the provider's prefix, such as `network_acl`. */
  readonly name: string;
  readonly description: string;
  /** The attributes that people write. */
  readonly config: C;
  /** The attributes that the service adds. */
  readonly computed: D;
  /** Those of the attributes that tell an object from all others of its kind; data sources have none. */
  readonly identity?: z.ZodObject;
  /**
   * Derives attributes from the written attributes, write-only ones included. The plan compares them with the state, so that a
   * change of a write-only value shows. Any written value may be unknown or absent. A default gives way to a derived value. The apply
   * derives the values again, and they must not differ from the plan, so a clock must not decide here.
   */
  derive?(written: { readonly [attribute: string]: unknown }): { readonly [attribute: string]: unknown };
  /** Checks between attributes of the top level. */
  readonly rules?: readonly Rule[];
}

/** Fixes the types of a definition; returns it as it is. */
export function define<C extends z.ZodObject, D extends z.ZodObject>(definition: Definition<C, D>): Definition<C, D> {
  return definition;
}

type Some = Definition<z.ZodObject, z.ZodObject>;

export type Config<T extends Some> = z.output<T["config"]>;
/** An empty `computed` adds nothing, because zod's type of an empty object would forbid every attribute. */
export type Computed<T extends Some> = keyof T["computed"]["shape"] extends never ? {} : z.output<T["computed"]>;
export type State<T extends Some> = Config<T> & Computed<T>;
/** The planned values of an object: any part may be unknown or absent. */
export type Planned<T extends Some> = { readonly [K in keyof Config<T>]: PartiallyUnknown<Config<T>[K]> } & {
  readonly [K in keyof Computed<T>]?: PartiallyUnknown<Computed<T>[K]>;
};

/** The written values of a block: any part may be unknown or absent. */
export type Written<S extends z.ZodObject> = { readonly [K in keyof z.output<S>]?: PartiallyUnknown<z.output<S>[K]> };

/** The planned change of an object. */
export type Change<T extends Some = Definition> =
  | {
      readonly action: "create";
      readonly prior?: undefined;
      readonly planned: Planned<T>;
      /** The identity of the object that it takes the place of. */
      readonly replaced?: Partial<State<T>>;
    }
  | {
      readonly action: "keep" | "update" | "replace";
      readonly prior: State<T>;
      readonly planned: Planned<T>;
      readonly replaced?: undefined;
    }
  | {
      readonly action: "destroy";
      readonly prior: State<T>;
      /** While it is applied: the object that takes its place. */
      readonly successor?: Identity;
      readonly planned?: undefined;
      readonly replaced?: undefined;
    };

/** The identity of the object; undefined while part of it is not known. */
export function identityOf(
  { identity }: Definition,
  known: { readonly [name: string]: unknown },
): Identity | undefined {
  const names = Object.keys(identity?.shape ?? {});
  if (names.length === 0 || names.some((name) => known[name] === undefined || known[name] === unknown))
    return undefined;
  return Object.fromEntries(names.map((name) => [name, known[name]]));
}
