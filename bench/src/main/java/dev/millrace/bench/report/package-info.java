/** What one run has measured, for people and programs: a table, plots, JSON. */
@NullMarked
package dev.millrace.bench.report;

import org.jspecify.annotations.NullMarked;
