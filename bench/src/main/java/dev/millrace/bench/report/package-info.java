/** Results of a run for people and programs: a table, plots, JSON. */
@NullMarked
package dev.millrace.bench.report;

import org.jspecify.annotations.NullMarked;
