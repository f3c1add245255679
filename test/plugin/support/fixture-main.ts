/** The fixture as a program that Terraform starts; a library inside it is as talkative as libraries are. */
import { callsOf } from "../../../src/plugin/calls";
import { serve } from "../../../src/plugin/serve";
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
