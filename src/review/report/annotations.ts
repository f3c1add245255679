/** Renders effects as annotations: commands that GitHub reads from the output of a step. */
import { linkTo } from "../../judge/codes/codes";
import { printable, printableLines } from "../../formats/text/printable";
import { version } from "../../version";
import { counts, type Effect, type Subject } from "../../judge/impact/effect";
import { withCauses } from "../../judge/impact/words/words";
import { placeOf, fromRoot } from "../input/root";
import type { Review } from "../judge/review";
import { annotationKinds, noName, type NameOf } from "./document";

/** GitHub shows at most this many annotations of each kind for one step. */
const most = 10;

interface Annotation {
  readonly kind: string;
  readonly title: string;
  readonly text: string;
  /** Properties that name the file and line. */
  readonly place?: string;
}

/** `root`: the folder of the workflow. File names are relative to it. `nameOf`: of the tenant or plan, if a person must see it. */
export function toAnnotations(reviews: readonly Review[], root = process.cwd(), nameOf: NameOf = noName): string {
  const effects = reviews.flatMap((review) =>
    review.effects.filter(counts).flatMap((one) =>
      // Each object that causes the effect gets the annotation at its own line.
      placesOf(one, review, root).map((place) => ({
        kind: annotationKinds[one.level],
        title: `${one.code} (${one.level})`,
        text: `${nameOf(one, review)}${withCauses(one)} ${linkTo(one.code, version)}`,
        place,
      })),
    ),
  );
  const lines = [...new Set(Object.values(annotationKinds))].flatMap((kind) => {
    const own: Annotation[] = effects.filter((one) => one.kind === kind);
    const room = own.length > most ? most - 1 : most;
    const rest = own.length - room;
    return [
      ...own
        .slice(0, room)
        .map(({ title, text, place = "" }) => `::${kind} ${place}title=${property(title)}::${data(text)}`),
      ...(rest > 0 ? [`::${kind} title=Tenantform::${rest} more: see the review.`] : []),
    ];
  });
  return lines.map((line) => `${line}\n`).join("");
}

function placesOf(one: Effect, review: Review, root: string): string[] {
  const subjects = one.cause.length > 0 ? one.cause : [one.subject];
  return [...new Set(subjects.map((subject) => placed(subject, review, root)))];
}

function placed({ address, plan }: Subject, review: Review, root: string): string {
  const place = placeOf(review, address, plan);
  const file = place && fromRoot(root, place);
  return file === undefined ? "" : `file=${property(file)},line=${place!.line},`;
}

function data(text: string): string {
  return printableLines(printable(text)).replaceAll("%", "%25");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
