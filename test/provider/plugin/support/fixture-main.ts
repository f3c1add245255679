/** The fixture as a program that Terraform starts. A library in it prints to stdout, as some libraries do. */
import { callsOf } from "../../../../src/provider/plugin/calls";
import { serve } from "../../../../src/provider/plugin/serve";
import { fixture } from "./fixture";

void serve({
  calls: callsOf({
    ...fixture,
    planResourceChange: async (request) => {
      console.log("a forgotten line");
      return fixture.planResourceChange!(request);
    },
  }),
});
