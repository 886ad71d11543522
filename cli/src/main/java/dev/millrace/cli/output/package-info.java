/** Output for people and programs: text, tables, trees of steps, JSON. */
@NullMarked
package dev.millrace.cli.output;

import org.jspecify.annotations.NullMarked;
