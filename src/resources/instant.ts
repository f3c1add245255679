/** Instants at which an object ends, in definitions. */
import * as z from "zod";
import { instantOf } from "../text/instant";

/** A date alone does not say in which time zone its day ends. */
export const instant = () =>
  z
    .string()
    .refine(
      (text) => instantOf(text) !== undefined,
      "give a date and a time with its offset from UTC (RFC 3339), such as 2026-12-01T18:00:00Z or 2026-12-01T18:00:00+01:00",
    );
