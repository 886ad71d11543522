/** The demonstration: everything in one process, one flow, and its figures. */
@NullMarked
package dev.millrace.cli.demo;

import org.jspecify.annotations.NullMarked;
