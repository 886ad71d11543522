/** Values, paths and templates: the expressions of a definition and their evaluation. Pure: no I/O, no clock. */
@NullMarked
package dev.millrace.scheduler.expression;

import org.jspecify.annotations.NullMarked;
