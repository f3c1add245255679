/** What the author of a provider writes: resources, data sources, and the provider that lists them. */
import type * as z from "zod";
import type { Log } from "../plugin/log";
import type { Fault, Rule } from "./attribute";

/** What stands behind one call. */
export interface Context<Client> {
  /** The configured client. Throws a ConfigurationError where the provider block does not suffice for one. */
  readonly client: Client;
  readonly log: Log;
  /** Shows a warning to the person at the terminal beside whatever comes of the call. */
  warn(summary: string, detail: string): void;
}

export type Config<C extends z.ZodObject> = z.output<C>;
// What computes nothing adds nothing: zod's type of an empty object would forbid every attribute.
export type Computed<D extends z.ZodObject> = keyof D["shape"] extends never ? unknown : z.output<D>;
export type State<C extends z.ZodObject, D extends z.ZodObject> = Config<C> & Computed<D>;

interface Definition<C extends z.ZodObject, D extends z.ZodObject> {
  /** Type name without the provider's prefix, such as `network_acl`. */
  readonly name: string;
  readonly description: string;
  /** What people write. */
  readonly config: C;
  /** What the service adds. */
  readonly computed: D;
  /** What must hold between attributes of the top level. */
  readonly rules?: readonly Rule[];
}

/**
 * One kind of object on the service. Every function may throw: the error is explained to the user at the resource, and
 * the state stays what it was, unless it is an Incomplete.
 */
export interface Resource<Client, C extends z.ZodObject, D extends z.ZodObject> extends Definition<C, D> {
  /** Higher by one whenever a state of before no longer reads; then `upgrade` is needed. */
  readonly version: number;
  /** How people call the object in a sentence: `network ACL acl_x ("Block bots")`. */
  title(state: Partial<State<C, D>>): string;
  /** Makes the object and returns what the service added. Throws Incomplete where it exists but is not as planned. */
  create(planned: Config<C>, context: Context<Client>): Promise<Computed<D>>;
  /** The object as it is now; undefined where it is gone. After an import only what `import` returned is known. */
  read(state: Partial<State<C, D>>, context: Context<Client>): Promise<State<C, D> | undefined>;
  /** Makes the object as planned and returns what the service added. */
  update(planned: Config<C>, prior: State<C, D>, context: Context<Client>): Promise<Computed<D>>;
  /** Leaves nothing behind; an object that is gone already is a success. */
  delete(state: State<C, D>, context: Context<Client>): Promise<void>;
  /** The attributes by which `read` finds the object that people name so. Throws a Refusal for another form of name. */
  import(id: string, context: Context<Client>): Promise<Partial<State<C, D>>>;
}

/** Something to look up, changing nothing. */
export interface DataSource<Client, C extends z.ZodObject, D extends z.ZodObject> extends Definition<C, D> {
  read(config: Config<C>, context: Context<Client>): Promise<Computed<D>>;
}

/** Fixes the types of a definition; returns it as it is. */
export function defineResource<Client>() {
  return <C extends z.ZodObject, D extends z.ZodObject>(definition: Resource<Client, C, D>) => definition;
}

export function defineDataSource<Client>() {
  return <C extends z.ZodObject, D extends z.ZodObject>(definition: DataSource<Client, C, D>) => definition;
}

// Definitions of all shapes in one list: each is only ever given values of its own shape.
export type AnyResource<Client> = Resource<Client, any, any>;
export type AnyDataSource<Client> = DataSource<Client, any, any>;

export interface Provider<Client extends { stop(): void }> {
  /** Prefix of every type name. */
  readonly name: string;
  readonly version: string;
  readonly config: z.ZodObject;
  readonly rules?: readonly Rule[];
  readonly resources: readonly AnyResource<Client>[];
  readonly dataSources: readonly AnyDataSource<Client>[];
  /**
   * Makes the client from the provider block, in which any part may be unknown or absent. Asks nothing of the network.
   * Throws a ConfigurationError for what is wrong for good, and returns undefined while what is needed is unknown.
   */
  configure(block: unknown, about: { terraformVersion: string; log: Log }): Client | undefined;
  /** An error of the client in words for people. */
  explain(error: unknown): Explanation;
}

export interface Explanation {
  readonly summary: string;
  readonly detail: string;
  readonly path?: Fault["path"];
}

/** The work was done in part: this much of the state is so, the rest as planned. The cause is shown. */
export class Incomplete extends Error {
  constructor(
    readonly state: { readonly [attribute: string]: unknown },
    options: { cause: unknown },
  ) {
    super("the work was done in part", options);
    this.name = "Incomplete";
  }
}

/** What was asked for cannot be had, and the asker can mend it. */
export class Refusal extends Error {
  constructor(
    readonly summary: string,
    readonly detail: string,
    readonly path: Fault["path"] = [],
  ) {
    super(`${summary}: ${detail}`);
    this.name = "Refusal";
  }
}
