/** SQL scripts, which the worker runs itself: statements, their parameters, and their rows as JSON. */
@NullMarked
package dev.millrace.handler.sql;

import org.jspecify.annotations.NullMarked;
