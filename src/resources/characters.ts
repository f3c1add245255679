/** Refuses characters that a reader cannot see, so that people review exactly the text that is sent. */
import * as z from "zod";

/** Joiners too: two texts that look the same would not match the same requests. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** For texts that the service compares with requests, callers and users. */
export const visible = (schema = z.string()) =>
  schema.refine((text) => !invisible.test(text), "remove line breaks, control characters and invisible characters");

const control = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;

/** For texts that only people read. They may have several lines and run from right to left. */
export const prose = (schema = z.string()) =>
  schema.refine((text) => !control.test(text), "remove control characters other than line breaks and tabs");
