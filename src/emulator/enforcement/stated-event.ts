/** The event that a test states for a request, because the tenant has no login pages. */
import { ServiceError } from "../http/response";
import type { Participants } from "../logs/event";
import { factsOfType } from "../logs/event-type";
import { pairsIn } from "./pairs";

export const eventHeader = "x-tenantform-event";

const participants = ["client_id", "client_name", "user_id", "user_name", "connection", "organization_id"] as const;

export const eventDescription =
  `The event that the request leaves in the log, if the tenant enforces its network ACLs and lets the request through: ` +
  `type=fp; user_id=auth0|1; user_name=a@b.example. No operation handles such a request, and the response is 204. ` +
  `Names: type, ${participants.join(", ")}.`;

export interface StatedEvent {
  readonly type: string;
  readonly participants: Participants;
}

const refuse = (problem: string) => new ServiceError(400, `${eventHeader}: ${problem}`);

export function statedEvent(header: string | null): StatedEvent | undefined {
  if (header === null) return undefined;
  const { type, ...given } = Object.fromEntries(pairsIn(header, refuse)) as Record<string, string>;
  if (type === undefined || !factsOfType.has(type)) {
    throw refuse(`type "${type ?? ""}" is not the type of an event of one request`);
  }
  const unknown = Object.keys(given).find((name) => !(participants as readonly string[]).includes(name));
  if (unknown !== undefined) throw refuse(`"${unknown}" is not known; write type, ${participants.join(", ")}`);
  return { type, participants: given };
}
