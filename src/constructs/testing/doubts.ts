/** What the provider block refuses in an expectation, or warns about, such as a country that no request has. */
import * as z from "zod";
import { expectations } from "../../provider/resources/provider-block/expectation";
import { check } from "../../provider/sdk/check";
import { described } from "../attributes";

const block = z.object({ expectation: expectations });

export const doubtsAbout = (expectation: object): string[] =>
  check({ config: block, attributes: described(block).attributes }, { expectation: [expectation] }).map(
    ({ detail }) => detail,
  );
