/** The demo: everything in one process, one flow over real text, and its figures. */
@NullMarked
package dev.millrace.cli.demo;

import org.jspecify.annotations.NullMarked;
