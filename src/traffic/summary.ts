/** Reads the summaries that the service logs for each network ACL: how many requests it evaluated and matched. */
import { timeOf } from "./request";
import { shortened } from "./short";

export interface AclCount {
  readonly id: string;
  /** The name of the action. */
  readonly action: string;
  readonly matched: number;
  readonly evaluated: number;
}

export interface Summary {
  readonly start: number;
  readonly end: number;
  readonly acls: readonly AclCount[];
}

type Fields = Readonly<Record<string, unknown>>;

const part = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const amount = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;

/** Both documented forms: a list in `details.stats`, and one ACL in `acls_summary`. */
export function summaryOf(fields: Fields): Summary {
  const details = part(fields["details"]);
  const alone = part(fields["acls_summary"] ?? details["acls_summary"]);
  const stats = Array.isArray(details["stats"]) ? (details["stats"] as readonly unknown[]) : [alone];
  const times = details["start_time"] === undefined ? alone : details;
  return {
    start: timeOf(times["start_time"]),
    end: timeOf(times["end_time"]),
    acls: stats.map(part).flatMap(countOf),
  };
}

function countOf(stat: Fields): AclCount[] {
  const { acl_id: id, action, match, total_request_count: total } = stat;
  if (typeof id !== "string" || id === "") return [];
  const flag =
    typeof action === "string" ? action : (Object.keys(part(action)).find((name) => part(action)[name] === true) ?? "");
  const matched = amount(part(match)["successes"] ?? part(match)["success"]);
  return [
    {
      id: shortened(id),
      action: shortened(flag),
      matched,
      evaluated: amount(part(total)["successes"] ?? part(total)["success"]),
    },
  ];
}
