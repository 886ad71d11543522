/**
 * Values, paths and templates: the expressions of a definition and how they are resolved. Pure: no I/O, no clock.
 */
@NullMarked
package dev.millrace.scheduler.expression;

import org.jspecify.annotations.NullMarked;
