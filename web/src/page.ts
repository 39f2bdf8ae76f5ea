// What the page gains where scripts run; without them it is complete and static. Bundled by crates/report/build.rs.
import { drawCharts } from "./charts";
import { openForPrint } from "./print";
import { makeSortable } from "./sort";
import { connectSwitches } from "./switches";

const redraw = drawCharts();
connectSwitches(redraw);
openForPrint();
document.querySelectorAll<HTMLTableElement>("table.sortable").forEach(makeSortable);
document.documentElement.dataset.live = "yes";
