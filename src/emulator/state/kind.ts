/** A kind of thing that a tenant holds many of: how one is known, how a seed says it, what of it is secret. */
import type { Schema } from "../schema/schema";
import type { Random } from "./identity";
import type { Clock } from "./time";

export type JsonObject = { [key: string]: unknown };

/** What new things are made with. */
export interface Making {
  readonly clock: Clock;
  readonly random: Random;
}

export interface Kind<Name extends string = string, Entity extends object = object> {
  /** What it is called in seeds and snapshots: network_acls. */
  readonly name: Name;
  idOf(entity: Entity): string;
  /** One of them in a seed. */
  readonly seed: Schema;
  /** What a seed says of one, with what it leaves out made up. */
  complete(given: Partial<Entity>, making: Making): Entity;
  /** Properties that no snapshot shows. */
  readonly secrets?: readonly string[];
}

export type EntityOf<K> = K extends Kind<string, infer Entity> ? Entity : never;
