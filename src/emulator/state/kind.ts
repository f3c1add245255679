/** A kind of object in a tenant: its id, and its form in a seed. */
import type { Schema } from "../schema/schema";
import type { Random } from "./identity";
import type { Clock } from "./time";

export type JsonObject = { [key: string]: unknown };

/** The sources of times and ids for new objects. */
export interface Making {
  readonly clock: Clock;
  readonly random: Random;
}

export interface Kind<Name extends string = string, Entity extends object = object> {
  /** Its name in seeds, snapshots and scopes: network_acls. */
  readonly name: Name;
  idOf(entity: Entity): string;
  /** The schema of an object in a seed. Snapshots leave its writeOnly properties out. */
  readonly seed: Schema;
  /** Completes an object of a seed with generated values. */
  complete(given: Partial<Entity>, making: Making): Entity;
}

export type EntityOf<K> = K extends Kind<string, infer Entity> ? Entity : never;
