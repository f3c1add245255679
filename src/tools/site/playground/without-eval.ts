/** Zod compiles checks at run time if it may, and the page forbids that. Import this file before all definitions. */
import { config } from "zod";

config({ jitless: true });
