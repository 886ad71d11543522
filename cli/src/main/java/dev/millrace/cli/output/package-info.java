/** What people and programs see: text, tables, trees of steps, JSON. */
@NullMarked
package dev.millrace.cli.output;

import org.jspecify.annotations.NullMarked;
