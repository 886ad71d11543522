/** The files that belong to a version of a script: those that it imports, found from its text alone. Pure. */
@NullMarked
package dev.millrace.text.script;

import org.jspecify.annotations.NullMarked;
