/** Chooses the parts of a text that a link may contain. A plan in JSON shows sensitive values, so most of it stays out. */
import { resourceTypes } from "../../../kinds/kinds";
import { ReviewError } from "../../../review/error";
import { writtenIn } from "./written";

/** ACLs stay as they are. A plan keeps only the changes of the resources that the review reads. */
export function shareable(text: string): string {
  const written = writtenIn(text, "The text");
  if (!("plan" in written)) return text;
  const { format_version, complete, errored, resource_changes: changes } = written.plan;
  const own = changes.filter(({ type }) => resourceTypes.includes(type));
  const isSensitive = ({ change }: (typeof own)[number]) =>
    [change.before_sensitive, change.after_sensitive].some(hasMark);
  const secret = own.find(isSensitive);
  if (secret)
    throw new ReviewError(
      `The plan marks values of ${secret.address} as sensitive, so no link is made. Share the review of \`npx tenantform review\` instead.`,
    );
  return JSON.stringify({ format_version, complete, errored, resource_changes: own });
}

const hasMark = (marks: unknown): boolean =>
  marks === true || (typeof marks === "object" && marks !== null && Object.values(marks).some(hasMark));
