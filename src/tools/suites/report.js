import { enableTable } from "./table.js";

enableTable("solved", (text) => "Expected: " + text("wanted") + ". Chosen: " + text("played") + ", " + text("verdict") + ".");
